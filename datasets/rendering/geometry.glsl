// Traces one picture: rounded boxes, cylinders and polyhedra (signed distances) on a plane, lit by a few lamps.
// Written for a software rasteriser, which runs both sides of every `if`: what a pixel may skip is a loop over set bits.
#version 400

struct Thing {
    vec4 place;      // centre, radius of the bounding sphere
    vec4 rowX;       // world -> local, first row; kind: 0 box, 1 cylinder, 2 octahedron, 3 icosahedron, 4 hollow cylinder
    vec4 rowY;       // second row; rounding radius
    vec4 rowZ;       // third row; radius of the sphere it is cut by
    vec4 extent;     // half extents without the rounding; first layer of its art, -1 for none
    vec4 body;       // colour (linear); roughness
    vec4 second;     // colour of the pattern; transmission 0..1
    vec4 pattern;    // noise: frequency, threshold, softness; seed
    vec4 finish;     // metal 0..1, clear-coat reflectance, light scattered inside 0..1, glitter 0..1
};
struct Lamp {
    vec4 place;      // position; tangent of its angular radius
    vec4 colour;     // irradiance at the origin; radiance seen in mirrors, below 0 of a ring
};
layout(std140) uniform Things { Thing things[64]; };
layout(std140) uniform Lamps { Lamp lamps[8]; };
uniform int thingCount, lampCount, keyCount;   // the first keyCount lamps cast shadows, all are mirrored
uniform vec2 pixels;                            // width and height
uniform vec3 eye;
uniform mat3 view;                              // columns: right, up, back
uniform vec2 lens;                              // focal length in pixels, k of r = f tan(k theta) / k
uniform vec3 zenith, horizon, bounce;           // radiance from above, from the sides, from below
uniform vec4 groundMap[2];                      // per layer: cos, sin (times scale), offset
uniform vec4 groundFinish[2];                   // roughness, reflectance, grain, -
uniform vec4 mat_;                              // centre, half width and height of the mat
uniform vec4 matShape;                          // cos, sin, 0 box 1 ellipse 2 hexagon, -1 none
uniform sampler2DArray inks, reliefs, grounds;
uniform sampler3D noise;
layout(location = 0) out vec4 colour;           // linear light; 1 + thing + 100 * (1 + face), 0 for the ground
layout(location = 1) out vec2 extra;             // distance from the eye; how far a pip or other mark covers the place

const float FAR = 1e4;

vec3 local(int i, vec3 v) {
    return vec3(dot(things[i].rowX.xyz, v), dot(things[i].rowY.xyz, v), dot(things[i].rowZ.xyz, v));
}

float solid(vec3 q) { return length(max(q, 0.)) + min(max(q.x, max(q.y, q.z)), 0.); }

// Signed distance (a lower bound outside) from a local point to thing i.
float away(int i, vec3 p) {
    float kind = things[i].rowX.w, r = things[i].rowY.w;
    vec3 b = things[i].extent.xyz, a = abs(p);
    float radial = length(p.xy);
    vec3 q = kind == 0. ? a - b : vec3(radial - b.x, -FAR, a.z - b.z);
    float d = solid(q);
#ifdef POLYHEDRA
    const vec3 g = vec3(0., .35682209, .93417236);
    float octa = dot(a, vec3(.57735027)) - b.x;
    float icosa = max(max(dot(a, vec3(.57735027)), dot(a, g.xyz)), max(dot(a, g.yzx), dot(a, g.zxy))) - b.x;
    d = kind == 2. ? octa : kind == 3. ? icosa : d;
#endif
#ifdef HOLLOW
    // b.y is the thickness of the wall of a cup or bowl; its floor is as thick
    float bowl = max(max(a.z - b.z, radial - b.x), min(b.x - b.y - radial, b.z - b.y + p.z));
    d = kind == 4. ? bowl : d;
#endif
    return max(d - r, length(p) - things[i].rowZ.w);
}

vec3 normalOf(int i, vec3 p, float e) {
    vec2 k = vec2(1., -1.);
    return normalize(k.xyy * away(i, p + k.xyy * e) + k.yyx * away(i, p + k.yyx * e)
                   + k.yxy * away(i, p + k.yxy * e) + k.xxx * away(i, p + k.xxx * e));
}

int lowest(uvec2 m) { return m.x != 0u ? findLSB(m.x) : 32 + findLSB(m.y); }
uvec2 without(uvec2 m) { return m.x != 0u ? uvec2(m.x & (m.x - 1u), m.y) : uvec2(0u, m.y & (m.y - 1u)); }
uvec2 with_(uvec2 m, int i, bool on) {
    uint bit = on ? 1u << uint(i & 31) : 0u;
    return i < 32 ? uvec2(m.x | bit, m.y) : uvec2(m.x, m.y | bit);
}

// Things whose bounding sphere, widened by `grow` per unit of distance, the ray may touch.
uvec2 candidates(vec3 o, vec3 d, float reach, float grow, int skip) {
    uvec2 m = uvec2(0u);
    for (int i = 0; i < thingCount; i++) {
        vec3 c = things[i].place.xyz - o;
        float along = dot(c, d), r = things[i].place.w + grow * max(along, 0.);
        m = with_(m, i, dot(c, c) - along * along < r * r && along > -r && along < reach + r && i != skip);
    }
    return m;
}

float trace(vec3 o, vec3 d, out int hit) {
    float best = FAR;
    hit = -1;
    for (uvec2 m = candidates(o, d, FAR, 0., -1); (m.x | m.y) != 0u; m = without(m)) {
        int i = lowest(m);
        vec3 c = o - things[i].place.xyz, lo = local(i, c), ld = local(i, d);
        float R = things[i].place.w, along = dot(c, d), root = sqrt(max(along * along - dot(c, c) + R * R, 0.));
        float t = max(-along - root, 0.), end = min(-along + root, best), h = 1.;
        for (int s = 0; s < 40 && h > 4e-4 * R && t < end; s++) {
            h = away(i, lo + ld * t);
            t += h;
        }
        bool on = h < 4e-3 * R && t < end;
        best = on ? t : best;
        hit = on ? i : hit;
    }
    return best;
}

// Light that reaches o from a lamp in direction d: the widest free cone, after the closest miss of every thing between.
vec3 lit(vec3 o, vec3 d, float reach, float size, int skip) {
    vec3 through = vec3(1.);
    for (uvec2 m = candidates(o, d, reach, size, skip); (m.x | m.y) != 0u; m = without(m)) {
        int i = lowest(m);
        vec3 c = o - things[i].place.xyz, lo = local(i, c), ld = local(i, d);
        float R = things[i].place.w * 1.05, along = dot(c, d);
        float t = max(-along - sqrt(max(along * along - dot(c, c) + R * R, 0.)), .01);
        float end = min(-along + R * 1.2, reach), free = 1.;
        for (int s = 0; s < 14 && free > -1. && t < end; s++) {
            float h = away(i, lo + ld * t);
            free = min(free, h / (size * t));
            t += max(abs(h), .06 * R);
        }
        free = smoothstep(-1., 1., free);
        vec3 tint = things[i].body.rgb * things[i].second.w * .7;
        through *= mix(tint, vec3(1.), free);
    }
    return through;
}

// Share of the sky left open by the neighbours, from the distance field a little above the surface.
float openness(vec3 p, vec3 n, int skip) {
    float open = 1.;
    uvec2 m = uvec2(0u);
    for (int i = 0; i < thingCount; i++) {
        vec3 c = things[i].place.xyz - p;
        float r = things[i].place.w + 1.2;
        m = with_(m, i, dot(c, c) < r * r && i != skip);
    }
    for (; (m.x | m.y) != 0u; m = without(m)) {
        int i = lowest(m);
        vec3 q = local(i, p - things[i].place.xyz), ln = local(i, n);
        float near = max(away(i, q + ln * .15), 0.) / .15, far = max(away(i, q + ln * .8), 0.) / .8;
        open *= mix(.35, 1., .35 * min(near, 1.) + .65 * min(far, 1.));
    }
    return open;
}
