// Edges are collapsed into one of their ends, those with the smallest error first. The error is the
// sum of squared distances from the planes of all triangles that the vertex represents, stored as
// one quadratic form per vertex (the quadrics of Garland and Heckbert).
#include "picture/soft_shape.h"

#include "base/base.h"

enum { ROUNDS = 6 };  // passes over all edges; the tolerance increases to the requested one

// a x a + 2 b x + c for a symmetric matrix a
typedef struct quadric {
    double a[6];  // xx xy xz yy yz zz
    double b[3];
    double c;
} quadric;

typedef struct facet {
    uint32_t vertex[3];
    float normal[3][3];  // at its corners
    bool gone;
} facet;

struct soft_simplifier {
    float (*position)[3];  // [vertices]
    quadric *quadrics;
    bool *touched;  // in this pass
    size_t vertices;
    facet *facets;
    size_t facet_count, left;
    uint32_t *first;  // [vertices + 1]: the facets around a vertex, at the start of the pass
    uint32_t *around;
};

// --- initialisation ----------------------------------------------------------------------------

static uint32_t hash_position(const float position[3]) {
    uint32_t bits[3];
    memcpy(bits, position, sizeof bits);
    uint32_t hash = bits[0] * 0x9E3779B1U ^ bits[1] * 0x85EBCA77U ^ bits[2] * 0xC2B2AE3DU;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6DU;
    return hash ^ hash >> 13;
}

// Assigns the same index to equal positions. table has a power-of-two number of entries.
static uint32_t find_vertex(soft_simplifier *s, uint32_t *table, uint32_t mask,
                            const float position[3]) {
    // -0 and 0 are the same position
    const float point[3] = {position[0] + 0.0F, position[1] + 0.0F, position[2] + 0.0F};
    uint32_t slot = hash_position(point) & mask;
    while (table[slot] != UINT32_MAX) {
        const float *known = s->position[table[slot]];
        if (known[0] == point[0] && known[1] == point[1] && known[2] == point[2]) {
            return table[slot];
        }
        slot = (slot + 1) & mask;
    }
    memcpy(s->position[s->vertices], point, sizeof point);
    table[slot] = (uint32_t)s->vertices;
    return (uint32_t)s->vertices++;
}

static void cross_unit(double out[3], const double a[3], const double b[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int k = 0; k < 3; k++) {
        out[k] = size > 0 ? out[k] / size : 0;
    }
}

static void facet_normal(const soft_simplifier *s, const uint32_t vertex[3], double normal[3]) {
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)s->position[vertex[1]][k] - (double)s->position[vertex[0]][k];
        b[k] = (double)s->position[vertex[2]][k] - (double)s->position[vertex[0]][k];
    }
    cross_unit(normal, a, b);
}

static void add_plane(quadric *q, const double n[3], const float point[3]) {
    const double d = -(n[0] * (double)point[0] + n[1] * (double)point[1] + n[2] * (double)point[2]);
    const double products[6] = {n[0] * n[0], n[0] * n[1], n[0] * n[2],
                                n[1] * n[1], n[1] * n[2], n[2] * n[2]};
    for (int k = 0; k < 6; k++) {
        q->a[k] += products[k];
    }
    for (int k = 0; k < 3; k++) {
        q->b[k] += n[k] * d;
    }
    q->c += d * d;
}

static double evaluate(const quadric *q, const float point[3]) {
    const double x = (double)point[0], y = (double)point[1], z = (double)point[2];
    return q->a[0] * x * x + q->a[3] * y * y + q->a[5] * z * z +
           2 * (q->a[1] * x * y + q->a[2] * x * z + q->a[4] * y * z) +
           2 * (q->b[0] * x + q->b[1] * y + q->b[2] * z) + q->c;
}

static void add_quadric(quadric *to, const quadric *from) {
    for (int k = 0; k < 6; k++) {
        to->a[k] += from->a[k];
    }
    for (int k = 0; k < 3; k++) {
        to->b[k] += from->b[k];
    }
    to->c += from->c;
}

static tot_status take_soup(soft_simplifier *s, const soft_shapes *shapes) {
    const size_t corners = shapes->soup_count;
    uint32_t size = 16;
    while (size < 2 * corners) {
        size *= 2;
    }
    uint32_t *table = base_alloc(size, sizeof *table, "a coarser mesh");
    BASE_HAVE(table);
    memset(table, 0xFF, size * sizeof *table);
    for (size_t k = 0; k < s->facet_count; k++) {
        for (size_t j = 0; j < 3; j++) {
            const soft_corner *corner = &shapes->soup[3 * k + j];
            s->facets[k].vertex[j] = find_vertex(s, table, size - 1, corner->position);
            memcpy(s->facets[k].normal[j], corner->normal, sizeof corner->normal);
        }
    }
    base_free(table);
    for (size_t k = 0; k < s->facet_count; k++) {
        facet *f = &s->facets[k];
        double normal[3];
        facet_normal(s, f->vertex, normal);
        f->gone = f->vertex[0] == f->vertex[1] || f->vertex[1] == f->vertex[2] ||
                  f->vertex[2] == f->vertex[0];
        s->left -= f->gone;
        for (int j = 0; j < 3; j++) {
            add_plane(&s->quadrics[f->vertex[j]], normal, s->position[f->vertex[0]]);
        }
    }
    return TOT_OK;
}

// --- the facets around a vertex ----------------------------------------------------------------

static void list_around(soft_simplifier *s) {
    memset(s->first, 0, (s->vertices + 2) * sizeof *s->first);
    for (size_t k = 0; k < s->facet_count; k++) {
        for (int j = 0; j < 3 && !s->facets[k].gone; j++) {
            s->first[s->facets[k].vertex[j] + 2]++;
        }
    }
    for (size_t k = 2; k < s->vertices + 2; k++) {
        s->first[k] += s->first[k - 1];
    }
    for (size_t k = 0; k < s->facet_count; k++) {
        for (int j = 0; j < 3 && !s->facets[k].gone; j++) {
            s->around[s->first[s->facets[k].vertex[j] + 1]++] = (uint32_t)k;
        }
    }
}

static int corner_of(const facet *f, uint32_t vertex) {
    return f->vertex[0] == vertex   ? 0
           : f->vertex[1] == vertex ? 1
           : f->vertex[2] == vertex ? 2
                                    : -1;
}

// Number of facets with the edge from a to b, in this direction.
static int count_edge(const soft_simplifier *s, uint32_t a, uint32_t b) {
    int count = 0;
    for (uint32_t k = s->first[a]; k < s->first[a + 1]; k++) {
        const facet *f = &s->facets[s->around[k]];
        count += f->vertex[(corner_of(f, a) + 1) % 3] == b;
    }
    return count;
}

// Whether a vertex is on the boundary of the surface.
static bool on_rim(const soft_simplifier *s, uint32_t vertex) {
    for (uint32_t k = s->first[vertex]; k < s->first[vertex + 1]; k++) {
        const facet *f = &s->facets[s->around[k]];
        if (count_edge(s, f->vertex[(corner_of(f, vertex) + 1) % 3], vertex) != 1) {
            return true;
        }
    }
    return false;
}

// Boundaries are preserved: their edges count as planes perpendicular to the surface.
static void add_rims(soft_simplifier *s) {
    for (size_t k = 0; k < s->facet_count; k++) {
        const facet *f = &s->facets[k];
        for (int j = 0; j < 3 && !f->gone; j++) {
            const uint32_t a = f->vertex[j], b = f->vertex[(j + 1) % 3];
            if (count_edge(s, b, a) == 1) {
                continue;
            }
            double normal[3], along[3], upright[3];
            facet_normal(s, f->vertex, normal);
            for (int i = 0; i < 3; i++) {
                along[i] = (double)s->position[b][i] - (double)s->position[a][i];
            }
            cross_unit(upright, along, normal);
            add_plane(&s->quadrics[a], upright, s->position[a]);
            add_plane(&s->quadrics[b], upright, s->position[a]);
        }
    }
}

// The normal at a vertex that is closest to a given one. Returns the cosine between them.
static float nearest_normal(const soft_simplifier *s, uint32_t vertex, const float normal[3],
                            float out[3]) {
    float best = -2;
    for (uint32_t k = s->first[vertex]; k < s->first[vertex + 1]; k++) {
        const facet *f = &s->facets[s->around[k]];
        const int corner = corner_of(f, vertex);
        if (f->gone || corner < 0) {
            continue;
        }
        const float *there = f->normal[corner];
        const float cosine = there[0] * normal[0] + there[1] * normal[1] + there[2] * normal[2];
        if (cosine > best) {
            best = cosine;
            memcpy(out, there, 3 * sizeof *out);
        }
    }
    return best;
}

// --- collapsing --------------------------------------------------------------------------------

// Whether `from` can be moved to `to`: no facet flips, and the shading changes little.
static bool may_collapse(const soft_simplifier *s, uint32_t from, uint32_t to, float cosine) {
    // a boundary vertex moves along the boundary
    const int wanted = on_rim(s, from) ? 1 : 2;
    int shared = 0;
    for (uint32_t k = s->first[from]; k < s->first[from + 1]; k++) {
        const facet *f = &s->facets[s->around[k]];
        if (corner_of(f, to) >= 0) {
            shared++;
            continue;
        }
        const int corner = corner_of(f, from);
        uint32_t moved[3] = {f->vertex[0], f->vertex[1], f->vertex[2]};
        moved[corner] = to;
        double before[3], after[3];
        facet_normal(s, f->vertex, before);
        facet_normal(s, moved, after);
        if (before[0] * after[0] + before[1] * after[1] + before[2] * after[2] < 0.7) {
            return false;
        }
        float normal[3];
        if (nearest_normal(s, to, f->normal[corner], normal) < cosine) {
            return false;
        }
    }
    return shared == wanted;
}

static void collapse(soft_simplifier *s, uint32_t from, uint32_t to) {
    for (uint32_t k = s->first[from]; k < s->first[from + 1]; k++) {
        facet *f = &s->facets[s->around[k]];
        for (int j = 0; j < 3; j++) {
            s->touched[f->vertex[j]] = true;
        }
        if (corner_of(f, to) >= 0) {
            f->gone = true;
            s->left--;
        } else {
            const int corner = corner_of(f, from);
            float normal[3];
            memcpy(normal, f->normal[corner], sizeof normal);
            nearest_normal(s, to, f->normal[corner], normal);
            memcpy(f->normal[corner], normal, sizeof normal);
            f->vertex[corner] = to;
        }
    }
    // the neighbours have changed too: they wait for the next pass
    for (uint32_t k = s->first[to]; k < s->first[to + 1]; k++) {
        for (int j = 0; j < 3; j++) {
            s->touched[s->facets[s->around[k]].vertex[j]] = true;
        }
    }
    add_quadric(&s->quadrics[to], &s->quadrics[from]);
}

static void try_edge(soft_simplifier *s, uint32_t a, uint32_t b, double limit, float cosine) {
    if (s->touched[a] || s->touched[b]) {
        return;
    }
    quadric both = s->quadrics[a];
    add_quadric(&both, &s->quadrics[b]);
    const double at_a = evaluate(&both, s->position[a]), at_b = evaluate(&both, s->position[b]);
    const uint32_t to = at_a <= at_b ? a : b, from = at_a <= at_b ? b : a;
    if (fmin(at_a, at_b) > limit || !may_collapse(s, from, to, cosine)) {
        return;
    }
    collapse(s, from, to);
}

void soft_simplifier_run(soft_simplifier *s, float tolerance) {
    for (int round = 1; round <= ROUNDS; round++) {
        const double reach = (double)tolerance * (double)round / ROUNDS;
        list_around(s);
        memset(s->touched, 0, s->vertices * sizeof *s->touched);
        for (size_t k = 0; k < s->facet_count; k++) {
            const facet *f = &s->facets[k];
            for (int j = 0; j < 3 && !f->gone; j++) {
                try_edge(s, f->vertex[j], f->vertex[(j + 1) % 3], reach * reach, 0.97F);
            }
        }
    }
}

// --- public functions --------------------------------------------------------------------------

tot_status soft_simplifier_create(soft_simplifier **simplifier, const soft_shapes *shapes) {
    BASE_NEW(soft_simplifier, s, "a coarser mesh");
    const size_t corners = shapes->soup_count;
    s->facet_count = s->left = corners / 3;
    s->position = base_alloc(corners, sizeof *s->position, "a coarser mesh");
    s->quadrics = base_alloc_zero(corners, sizeof *s->quadrics, "a coarser mesh");
    s->touched = base_alloc(corners, sizeof *s->touched, "a coarser mesh");
    s->facets = base_alloc(s->facet_count, sizeof *s->facets, "a coarser mesh");
    s->first = base_alloc(corners + 2, sizeof *s->first, "a coarser mesh");
    s->around = base_alloc(corners, sizeof *s->around, "a coarser mesh");
    tot_status status = s->position != NULL && s->quadrics != NULL && s->touched != NULL &&
                                s->facets != NULL && s->first != NULL && s->around != NULL
                            ? TOT_OK
                            : TOT_E_MEMORY;
    BASE_THEN(status, take_soup(s, shapes));
    if (status == TOT_OK) {
        list_around(s);
        add_rims(s);
    }
    BASE_GIVE(status, simplifier, s, soft_simplifier_free);
}

size_t soft_simplifier_triangles(const soft_simplifier *simplifier) {
    return simplifier->left;
}

tot_status soft_simplifier_soup(const soft_simplifier *s, soft_shapes *shapes) {
    shapes->soup_count = 0;
    for (size_t k = 0; k < s->facet_count; k++) {
        const facet *f = &s->facets[k];
        soft_corner corner[3];
        for (int j = 0; j < 3 && !f->gone; j++) {
            const float *position = s->position[f->vertex[j]];
            const float *normal = f->normal[j];
            corner[j] = (soft_corner){
                {position[0], position[1], position[2]}, {normal[0], normal[1], normal[2]}, {0, 0}};
        }
        if (!f->gone) {
            BASE_TRY(soft_soup_triangle(shapes, corner));
        }
    }
    return TOT_OK;
}

void soft_simplifier_free(soft_simplifier *simplifier) {
    BASE_UNLESS_NULL(simplifier);
    BASE_RELEASE(simplifier->position, simplifier->quadrics, simplifier->touched,
                 simplifier->facets, simplifier->first, simplifier->around, simplifier);
}
