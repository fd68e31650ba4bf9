// What a ray sees: colours, lamps mirrored, translucent bodies. Follows geometry.glsl, which declares what it reads.

vec3 mirrored(vec3 d, float rough, vec3 p, float keep) {
    float soft = .02 + rough * rough * 1.2;
    vec3 light = mix(mix(horizon, zenith, smoothstep(-.1, .9, d.z)), bounce, smoothstep(.12 + soft, -.12 - soft, d.z));
    for (int i = 0; i < lampCount; i++) {
        vec3 l = lamps[i].place.xyz - p;
        float size = lamps[i].place.w, cosine = dot(d, normalize(l));
        vec3 side = normalize(vec3(-l.y, l.x, .001)), over = normalize(cross(l, side));
        // key lamps are round, the others are windows and soft boxes
        vec2 at = abs(vec2(dot(d, side), dot(d, over))) / size;
        float r = i < keyCount ? length(at) : max(at.x, at.y * .6), radiance = lamps[i].colour.w;
        r = radiance < 0. ? abs(r - .85) / .15 : r;
        float blur = soft / size / (radiance < 0. ? .15 : 1.), seen = smoothstep(1. + blur, max(1. - blur, -1.), r) / (1. + blur * blur);
        light += lamps[i].colour.rgb * min(abs(radiance), 40.) * (cosine > 0. ? seen : 0.) * (i < keyCount ? keep : 1.);
    }
    return light;
}

vec3 sky(vec3 n) {
    return n.z > 0. ? mix(horizon, zenith, n.z) : mix(horizon, bounce, -n.z);
}

vec3 ground(vec2 p, float foot, out vec4 finish) {
    vec2 m = mat2(matShape.x, -matShape.y, matShape.y, matShape.x) * (p - mat_.xy) / mat_.zw, a = abs(m);
    float r = matShape.z == 0. ? max(a.x, a.y) : matShape.z == 1. ? length(m) : max(a.x * .866 + a.y * .5, a.y);
    int layer = matShape.z >= 0. && r < 1. ? 1 : 0;
    vec4 g = groundMap[layer];
    vec2 uv = layer == 1 && matShape.w > 0. ? m * .5 + .5 : mat2(g.x, g.y, -g.y, g.x) * p + g.zw;
    float texel = layer == 1 && matShape.w > 0. ? .5 / max(mat_.z, mat_.w) : length(g.xy);
    finish = groundFinish[layer];
    vec3 c = textureLod(grounds, vec3(uv, layer), log2(max(foot * texel * textureSize(grounds, 0).x, 1e-3))).rgb;
    // the mat has an edge with a little thickness
    return c * c * (matShape.z >= 0. ? 1. - .5 * smoothstep(.02, 0., abs(r - 1.005)) : 1.);
}

// The face of thing i under a local point: its number, its two directions and the place on it, -1..1.
int facing(int i, vec3 p, out vec3 u, out vec3 v, out vec2 uv) {
    vec3 whole = things[i].extent.xyz + things[i].rowY.w;
    float kind = things[i].rowX.w;
    vec3 q = p / (kind == 1. ? whole.xxz : whole), a = abs(q);
#ifdef POLYHEDRA
    if (kind >= 2. && kind <= 3.) {
        const vec3 g = vec3(0., .35682209, .93417236);
        vec3 n = vec3(.57735027);
        vec3 b = abs(p);
        if (kind == 3.) {
            float best = dot(b, n);
            if (dot(b, g.xyz) > best) { best = dot(b, g.xyz); n = g.xyz; }
            if (dot(b, g.yzx) > best) { best = dot(b, g.yzx); n = g.yzx; }
            if (dot(b, g.zxy) > best) { n = g.zxy; }
        }
        n *= vec3(p.x < 0. ? -1. : 1., p.y < 0. ? -1. : 1., p.z < 0. ? -1. : 1.);
        u = normalize(cross(n, vec3(.31, .52, .79)));
        v = cross(n, u);
        uv = vec2(dot(p, u), dot(p, v)) / (things[i].extent.x * (kind == 3. ? .75 : 1.2));
        return int(mod(dot(sign(n), vec3(3., 5., 7.)) + 40. + n.x * 9. + n.y * 14., 6.));
    }
#endif
    if (a.x > a.y && a.x > a.z) {
        u = q.x > 0. ? vec3(0, 1, 0) : vec3(0, 0, 1);
        v = q.x > 0. ? vec3(0, 0, 1) : vec3(0, 1, 0);
        uv = q.x > 0. ? q.yz : q.zy;
        return q.x > 0. ? 0 : 1;
    }
    if (a.y > a.z) {
        u = q.y > 0. ? vec3(0, 0, 1) : vec3(1, 0, 0);
        v = q.y > 0. ? vec3(1, 0, 0) : vec3(0, 0, 1);
        uv = q.y > 0. ? q.zx : q.xz;
        return q.y > 0. ? 2 : 3;
    }
    u = q.z > 0. ? vec3(1, 0, 0) : vec3(0, 1, 0);
    v = q.z > 0. ? vec3(0, 1, 0) : vec3(1, 0, 0);
    uv = q.z > 0. ? q.xy : q.yx;
    return q.z > 0. ? 4 : 5;
}

vec4 ink(int i, int face, vec2 uv, float lod) {
    vec4 c = textureLod(inks, vec3(uv * .5 + .5, max(things[i].extent.w, 0.) + float(face)), lod);
    return vec4(c.rgb * c.rgb, things[i].extent.w < 0. || max(abs(uv.x), abs(uv.y)) > 1. ? 0. : c.a);
}

vec3 bodyColour(int i, vec3 p) {
    vec4 w = things[i].pattern;
    float n = texture(noise, p * w.x + w.w * vec3(.37, .71, .13)).r;
    return mix(things[i].body.rgb, things[i].second.rgb, smoothstep(w.y - w.z, w.y + w.z, n));
}

#ifdef CLEAR
// What is seen through a translucent body: far pips and the table, dimmed by the way through the dye.
vec3 seenThrough(int i, vec3 p, vec3 n, vec3 d, vec3 dye, float lod) {
    vec3 r = refract(d, n, 1. / 1.45);
    vec3 lp = local(i, p - things[i].place.xyz), lr = local(i, r), whole = things[i].extent.xyz + things[i].rowY.w;
    vec3 far = (sign(lr) * whole - lp) / (abs(lr) + 1e-5) * sign(lr);
    float way = max(min(far.x, min(far.y, far.z)), .05);
    vec3 u, v;
    vec2 uv;
    int face = facing(i, lp + lr * way, u, v, uv);
    vec4 mark = ink(i, face, uv, lod + 1.);
    vec3 q = p + r * way;
    vec4 finish;
    vec3 below = ground(q.xy + r.xy / max(-r.z, .15) * max(q.z, 0.), .1, finish) * (zenith + bounce + lamps[0].colour.rgb * .35);
    vec3 glow = (mix(horizon, zenith, .5) + lamps[0].colour.rgb * .15) * (.3 + .5 * clamp(q.z / max(2. * whole.z, .1), 0., 1.));
    vec3 light = mix(glow, below, clamp(-r.z * 1.5 - q.z * .5, 0., .95));
    light = mix(light, mark.rgb * (zenith + bounce) * .5, mark.a * .75);
    return light * pow(max(dye, vec3(.01)), vec3(.35 + way * .45));
}
#endif

void main() {
    vec2 at = (gl_FragCoord.xy - .5 * pixels) / lens.x;
    float r = length(at), theta = atan(lens.y * r) / lens.y;
    vec2 aim = r > 1e-6 ? at / r * sin(theta) : vec2(0.);
    vec3 d = view * vec3(aim, -cos(theta));
    int hit;
    float t = trace(eye, d, hit);
    float floor_ = d.z < -1e-4 ? -eye.z / d.z : FAR;
    bool die = hit >= 0 && t < floor_;
    t = die ? t : floor_;
    vec3 p = eye + d * t, n = vec3(0., 0., 1.);
    float foot = t / lens.x;
    vec4 finish;
    vec3 base = ground(p.xy, foot / max(-d.z, .1), finish), gloss = vec3(finish.y);
    float rough = max(finish.x, finish.z * 1.5), cavity = 1., scatter = 0.;
    float grain = textureLod(noise, vec3(p.xy * 1.3, .5), 0.).g - .5;
    n = normalize(n + finish.z * vec3(grain, textureLod(noise, vec3(p.yx * 1.1, .2), 0.).g - .5, 0.) * min(1., .05 / foot));
    int i = max(hit, 0);
    int face = 0;
    float through = 0.;
    vec3 lp = local(i, p - things[i].place.xyz), u, v, body = bodyColour(i, lp);
    vec2 uv;
    float lod = log2(max(foot / max(things[i].extent.x + things[i].rowY.w, .02) * .5 * float(textureSize(inks, 0).x), 1e-3));
    face = facing(i, lp, u, v, uv);
    vec4 mark = ink(i, face, uv, lod - .3), relief = textureLod(reliefs, vec3(uv * .5 + .5, max(things[i].extent.w, 0.) + float(face)), lod - .3);
    vec3 ln = normalOf(i, lp, .002);
    vec3 smooth_ = ln.x * things[i].rowX.xyz + ln.y * things[i].rowY.xyz + ln.z * things[i].rowZ.xyz;
    vec2 slope = things[i].extent.w < 0. || max(abs(uv.x), abs(uv.y)) > 1. ? vec2(0.) : (relief.rg - 128. / 255.) * 4.;
    vec3 sparkle = (texture(noise, lp * .4 + things[i].pattern.w).gba - .5) * things[i].finish.w;
    ln = normalize(ln - slope.x * u - slope.y * v + sparkle);
    float metal = max(things[i].finish.x * (1. - mark.a), relief.a * mark.a);
    vec3 skin = mix(body, mark.rgb, mark.a);
    if (die) {
        n = ln.x * things[i].rowX.xyz + ln.y * things[i].rowY.xyz + ln.z * things[i].rowZ.xyz;
        base = skin * (1. - .9 * metal);
        gloss = mix(vec3(things[i].finish.y), skin, metal);
        rough = things[i].body.w;
        cavity = things[i].extent.w < 0. ? 1. : relief.b;
        scatter = things[i].finish.z * (1. - mark.a);
        through = things[i].second.w * (1. - mark.a);
    }
    int self = die && things[i].rowX.w != 4. ? i : -1;
    vec3 from = p + n * .012;
    float open = openness(p, n, self) * cavity * (die ? 1. - .45 * exp(-1.6 * p.z) * (1. - max(n.z, 0.)) : 1.);
    vec3 light = sky(n) * open, keep = vec3(1.);
    for (int k = 0; k < keyCount; k++) {
        vec3 l = lamps[k].place.xyz - p;
        float far = length(l), near = length(lamps[k].place.xyz);
        l /= far;
        vec3 reaches = lit(from, l, far, lamps[k].place.w, self);
        float facing_ = dot(n, l), wrap = .5 * scatter;
        float lambert = max((facing_ + wrap) / (1. + wrap), 0.) * mix(1., .35 + .65 * cavity, .8);
        light += lamps[k].colour.rgb * reaches * lambert * (near * near) / (far * far);
        keep = k == 0 ? reaches : keep;
    }
    vec3 m = reflect(d, n);
    float grazing = pow(1. - clamp(dot(-d, n), 0., 1.), 5.);
    vec3 fresnel = gloss + (max(vec3(1. - rough), gloss) - gloss) * grazing * (1. - .7 * rough);
    vec3 shine = mirrored(m, rough, p, keep.g) * mix(1., open, .6);
#ifdef POLISHED
    // a polished table mirrors the things that stand on it
    int other;
    trace(from, reflect(d, vec3(0., 0., 1.)), other);
    vec3 image = things[max(other, 0)].body.rgb * (sky(vec3(m.xy, 0.)) + lamps[0].colour.rgb * .2);
    shine = !die && other >= 0 ? mix(image, shine, smoothstep(.1, .3, rough)) : shine;
#endif
    vec3 seen = base * light;
#ifdef CLEAR
    vec3 glass = seenThrough(i, p, smooth_, d, body, lod) + body * light * .08;
    seen = die ? mix(seen, glass, through) : seen;  // off the die, `glass` may be no number
#endif
    colour = vec4(seen * (1. - fresnel) + shine * fresnel, die ? float(1 + i + 100 * (1 + face)) : 0.);
    bool marked = die && things[i].extent.w >= 0. && max(abs(uv.x), abs(uv.y)) <= 1.;
    extra = vec2(t, marked ? max(mark.a, smoothstep(.97, .9, relief.b)) : 0.);
}
