// Shapes: triangles are collected in a soup, split into small clusters, and packed.
#include "picture/soft_shape.h"

#include "base/base.h"
#include "picture/renderer.h"

// --- triangle soup -----------------------------------------------------------------------------

tot_status soft_soup_triangle(soft_shapes *shapes, const soft_corner corner[3]) {
    BASE_GROW(shapes->soup, shapes->soup_capacity, shapes->soup_count, shapes->soup_count + 3,
              "a shape");
    memcpy(shapes->soup + shapes->soup_count, corner, 3 * sizeof *corner);
    shapes->soup_count += 3;
    return TOT_OK;
}

tot_status soft_soup_quad(soft_shapes *shapes, const soft_corner corner[4]) {
    // split between corners 1 and 3, as OpenGL splits quads here
    const soft_corner first[3] = {corner[0], corner[1], corner[3]};
    const soft_corner second[3] = {corner[1], corner[2], corner[3]};
    BASE_TRY(soft_soup_triangle(shapes, first));
    return soft_soup_triangle(shapes, second);
}

// --- splitting ---------------------------------------------------------------------------------

// Sort key of a triangle: its centre and its normal.
typedef struct face {
    float key[6];
    uint32_t triangle;
} face;

static void cross(float out[3], const soft_corner corner[3]) {
    float a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corner[1].position[k] - corner[0].position[k];
        b[k] = corner[2].position[k] - corner[0].position[k];
    }
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float length(const float v[3]) {
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void make_face(face *out, const soft_corner corner[3], uint32_t triangle) {
    float normal[3];
    cross(normal, corner);
    const float size = length(normal);
    for (int k = 0; k < 3; k++) {
        out->key[k] =
            (corner[0].position[k] + corner[1].position[k] + corner[2].position[k]) / 3.0F;
        out->key[3 + k] = size > 0 ? normal[k] / size : 0;
    }
    out->triangle = triangle;
}

// The key in which these faces differ most. The weight of a difference in direction increases with
// the size of the part, so that large parts are split in space and small ones by direction.
static int widest_key(const face *faces, size_t count) {
    float low[6], high[6];
    memcpy(low, faces[0].key, sizeof low);
    memcpy(high, faces[0].key, sizeof high);
    for (size_t k = 1; k < count; k++) {
        for (int j = 0; j < 6; j++) {
            low[j] = fminf(low[j], faces[k].key[j]);
            high[j] = fmaxf(high[j], faces[k].key[j]);
        }
    }
    const float capacity[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const float weight = 0.35F * length(capacity);
    int widest = 0;
    float most = -1;
    for (int j = 0; j < 6; j++) {
        const float width = (high[j] - low[j]) * (j < 3 ? 1 : weight);
        if (width > most) {
            most = width;
            widest = j;
        }
    }
    return widest;
}

// Moves the half of the faces with the smaller keys to the front.
static void split_in_half(face *faces, size_t count, int key) {
    size_t low = 0, high = count - 1;
    const size_t middle = count / 2;
    while (low < high) {
        const float pivot = faces[low + (high - low) / 2].key[key];
        size_t i = low, j = high;
        for (;;) {
            while (faces[i].key[key] < pivot) {
                i++;
            }
            while (faces[j].key[key] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            const face swap = faces[i];
            faces[i++] = faces[j];
            faces[j--] = swap;
        }
        if (middle <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
}

// --- packing -----------------------------------------------------------------------------------

static tot_status reserve_all(soft_shapes *shapes) {
    const size_t positions = shapes->positions + SOFT_CLUSTER_POSITIONS;
    const size_t triangles = shapes->triangles + SOFT_CLUSTER_TRIANGLES;
    // arrays that share a capacity grow alike; it is only updated when all of them have grown
    size_t capacity = 0;
    float **axes[3] = {&shapes->x, &shapes->y, &shapes->z};
    for (int k = 0; k < 3; k++) {
        capacity = shapes->position_capacity;
        BASE_GROW(*axes[k], capacity, shapes->positions, positions, "a shape");
    }
    shapes->position_capacity = capacity;
    for (int k = 0; k < 3; k++) {
        capacity = shapes->triangle_capacity;
        BASE_GROW(shapes->corner_position[k], capacity, shapes->triangles, triangles, "a shape");
    }
    capacity = shapes->triangle_capacity;
    BASE_GROW(shapes->corners, capacity, shapes->triangles, triangles, "a shape");
    shapes->triangle_capacity = capacity;
    BASE_GROW(shapes->clusters, shapes->cluster_capacity, shapes->cluster_count,
              shapes->cluster_count + 1, "a shape");
    return TOT_OK;
}

// The index of the position in the cluster; added if it is new.
static uint8_t find_position(soft_shapes *shapes, soft_cluster *cluster, const float position[3]) {
    const size_t first = cluster->first_position;
    for (size_t k = 0; k < cluster->positions; k++) {
        if (shapes->x[first + k] == position[0] && shapes->y[first + k] == position[1] &&
            shapes->z[first + k] == position[2]) {
            return (uint8_t)k;
        }
    }
    shapes->x[first + cluster->positions] = position[0];
    shapes->y[first + cluster->positions] = position[1];
    shapes->z[first + cluster->positions] = position[2];
    return (uint8_t)cluster->positions++;
}

// A bounding sphere of count points, given as arrays: not minimal, but centred on their bounding
// box.
static void enclose(const soft_shapes *shapes, size_t first, size_t count, float centre[3],
                    float *radius) {
    const float *axes[3] = {shapes->x + first, shapes->y + first, shapes->z + first};
    for (int j = 0; j < 3; j++) {
        float low = axes[j][0], high = axes[j][0];
        for (size_t k = 1; k < count; k++) {
            low = fminf(low, axes[j][k]);
            high = fmaxf(high, axes[j][k]);
        }
        centre[j] = 0.5F * (low + high);
    }
    *radius = 0;
    for (size_t k = 0; k < count; k++) {
        const float away[3] = {axes[0][k] - centre[0], axes[1][k] - centre[1],
                               axes[2][k] - centre[2]};
        *radius = fmaxf(*radius, 1.00001F * length(away));
    }
}

// The mean normal of the faces, and the sine of the largest angle to it.
static void make_cone(soft_cluster *cluster, const face *faces, size_t count) {
    float sum[3] = {0, 0, 0};
    for (size_t k = 0; k < count; k++) {
        for (int j = 0; j < 3; j++) {
            sum[j] += faces[k].key[3 + j];
        }
    }
    const float size = length(sum);
    float cosine = size > 0 ? 1 : -1;
    for (int j = 0; j < 3; j++) {
        cluster->axis[j] = size > 0 ? sum[j] / size : 0;
    }
    for (size_t k = 0; k < count; k++) {
        const float *normal = faces[k].key + 3;
        cosine = fminf(cosine, normal[0] * cluster->axis[0] + normal[1] * cluster->axis[1] +
                                   normal[2] * cluster->axis[2]);
    }
    // slightly wider, for rounding errors in the test
    cosine -= 1e-3F;
    cluster->spread = cosine > 0 ? sqrtf(fmaxf(0, 1 - cosine * cosine)) : 2;
}

static tot_status pack_cluster(soft_shapes *shapes, const face *faces, size_t count) {
    BASE_TRY(reserve_all(shapes));
    soft_cluster *cluster = &shapes->clusters[shapes->cluster_count];
    *cluster = (soft_cluster){.first_position = (uint32_t)shapes->positions,
                              .first_triangle = (uint32_t)shapes->triangles,
                              .triangles = (uint16_t)((count + 7) / 8 * 8)};
    for (size_t k = 0; k < count; k++) {
        const soft_corner *corner = shapes->soup + 3 * (size_t)faces[k].triangle;
        for (int j = 0; j < 3; j++) {
            shapes->corner_position[j][shapes->triangles + k] =
                find_position(shapes, cluster, corner[j].position);
            shapes->corners[shapes->triangles + k][j] = corner[j];
        }
    }
    enclose(shapes, cluster->first_position, cluster->positions, cluster->centre, &cluster->radius);
    make_cone(cluster, faces, count);
    // pad to multiples of eight: with degenerate triangles, and with the last position
    for (size_t k = count; k < cluster->triangles; k++) {
        for (int j = 0; j < 3; j++) {
            shapes->corner_position[j][shapes->triangles + k] = 0;
            shapes->corners[shapes->triangles + k][j] = shapes->soup[3 * (size_t)faces[0].triangle];
        }
    }
    while (cluster->positions % 8 != 0) {
        const size_t next = shapes->positions + cluster->positions++;
        shapes->x[next] = shapes->x[next - 1];
        shapes->y[next] = shapes->y[next - 1];
        shapes->z[next] = shapes->z[next - 1];
    }
    shapes->positions += cluster->positions;
    shapes->triangles += cluster->triangles;
    shapes->cluster_count++;
    return TOT_OK;
}

static tot_status split(soft_shapes *shapes, face *faces, size_t count) {
    // halving reaches any size in as many levels as the count has bits
    if (count <= SOFT_CLUSTER_TRIANGLES) {
        return count > 0 ? pack_cluster(shapes, faces, count) : TOT_OK;
    }
    split_in_half(faces, count, widest_key(faces, count));
    BASE_TRY(split(shapes, faces, count / 2));
    return split(shapes, faces + count / 2, count - count / 2);
}

// --- whole shapes ------------------------------------------------------------------------------

// Closed except for cracks: opposing areas cancel out. Many meshes consist of patches whose edges
// do not match exactly, so a test by edges would classify few of them as closed.
static bool is_closed(const soft_corner *soup, size_t corners) {
    double sum[3] = {0, 0, 0}, all = 0;
    for (size_t k = 0; k < corners; k += 3) {
        float area[3];
        cross(area, soup + k);
        all += (double)length(area);
        for (int j = 0; j < 3; j++) {
            sum[j] += (double)area[j];
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) < 0.3 * all;
}

tot_status soft_soup_finish(soft_shapes *shapes) {
    const size_t count = shapes->soup_count / 3;
    BASE_GROW(shapes->shapes, shapes->shape_capacity, shapes->shape_count, shapes->shape_count + 1,
              "a shape");
    soft_shape shape = {.first_cluster = (uint32_t)shapes->cluster_count,
                        .first_triangle = (uint32_t)shapes->triangles,
                        .closed = is_closed(shapes->soup, shapes->soup_count)};
    const size_t first_position = shapes->positions;
    if (count > 0) {
        face *faces = base_alloc(count, sizeof *faces, "a shape");
        BASE_HAVE(faces);
        for (size_t k = 0; k < count; k++) {
            make_face(&faces[k], shapes->soup + 3 * k, (uint32_t)k);
        }
        const tot_status status = split(shapes, faces, count);
        base_free(faces);
        BASE_TRY(status);
        enclose(shapes, first_position, shapes->positions - first_position, shape.centre,
                &shape.radius);
    }
    shape.clusters = (uint32_t)shapes->cluster_count - shape.first_cluster;
    shape.triangles = (uint32_t)shapes->triangles - shape.first_triangle;
    shapes->shapes[shapes->shape_count++] = shape;
    shapes->soup_count = 0;
    return TOT_OK;
}

// A corner of a mesh. Without texture coordinates MuJoCo uses the face normal if the vertex normal
// is more than 37 degrees away from it, which keeps sharp edges sharp.
static soft_corner mesh_corner(const mjModel *model, int mesh, int place,
                               const float face_normal[3], bool textured) {
    const float *position =
        model->mesh_vert + 3 * (model->mesh_face[place] + model->mesh_vertadr[mesh]);
    const float *normal =
        model->mesh_normal + 3 * (model->mesh_facenormal[place] + model->mesh_normaladr[mesh]);
    soft_corner corner = {
        {position[0], position[1], position[2]}, {normal[0], normal[1], normal[2]}, {0, 0}};
    if (textured) {
        const float *texture = model->mesh_texcoord + 2 * (model->mesh_facetexcoord[place] +
                                                           model->mesh_texcoordadr[mesh]);
        memcpy(corner.texture, texture, sizeof corner.texture);
    } else if (normal[0] * face_normal[0] + normal[1] * face_normal[1] +
                   normal[2] * face_normal[2] <
               0.8F) {
        memcpy(corner.normal, face_normal, sizeof corner.normal);
    }
    return corner;
}

static tot_status fill_with_mesh(soft_shapes *shapes, const mjModel *model, int mesh) {
    const bool textured = model->mesh_texcoordadr[mesh] >= 0;
    shapes->soup_count = 0;
    for (int f = 0; f < model->mesh_facenum[mesh]; f++) {
        const int place = 3 * (model->mesh_faceadr[mesh] + f);
        soft_corner corner[3];
        float normal[3] = {0, 0, 1};
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < 3; j++) {
                corner[j] = mesh_corner(model, mesh, place + j, normal, textured);
            }
            cross(normal, corner);
            picture_normalize(normal);
        }
        BASE_TRY(soft_soup_triangle(shapes, corner));
    }
    return TOT_OK;
}

// Creates the coarser versions of a mesh. One that is hardly smaller is not worth its memory.
static tot_status add_details(soft_shapes *shapes, const mjModel *model, int mesh, int most) {
    uint32_t *details = shapes->details + (size_t)mesh * SOFT_DETAILS;
    size_t triangles = (size_t)model->mesh_facenum[mesh];
    for (int k = 0; k < SOFT_DETAILS; k++) {
        details[k] = (uint32_t)(SOFT_SHAPE_FIRST_MESH + mesh);
    }
    if (model->mesh_texcoordadr[mesh] >= 0 || triangles < SOFT_CLUSTER_TRIANGLES) {
        return TOT_OK;
    }
    soft_simplifier *simplifier = NULL;
    BASE_TRY(fill_with_mesh(shapes, model, mesh));
    BASE_TRY(soft_simplifier_create(&simplifier, shapes));
    tot_status status = TOT_OK;
    float tolerance = SOFT_FINEST;
    for (int k = 1; k < SOFT_DETAILS && status == TOT_OK; k++, tolerance *= 2) {
        details[k] = details[k - 1];
        if (k >= most) {
            continue;
        }
        soft_simplifier_run(simplifier, tolerance);
        const size_t left = soft_simplifier_triangles(simplifier);
        if (left == 0 || left > triangles * 4 / 5) {
            continue;
        }
        triangles = left;
        details[k] = (uint32_t)shapes->shape_count;
        status = soft_simplifier_soup(simplifier, shapes);
        BASE_THEN(status, soft_soup_finish(shapes));
    }
    soft_simplifier_free(simplifier);
    return status;
}

uint32_t soft_shapes_detail(const soft_shapes *shapes, int mesh, float tolerance) {
    int k = 0;
    for (float reach = SOFT_FINEST; k + 1 < SOFT_DETAILS && reach <= tolerance; reach *= 2) {
        k++;
    }
    return shapes->details[(size_t)mesh * SOFT_DETAILS + (size_t)k];
}

tot_status soft_shapes_make(soft_shapes *shapes, const mjModel *model, int details) {
    BASE_TRY(soft_shapes_add_builtin(shapes, model));
    for (int mesh = 0; mesh < model->nmesh; mesh++) {
        BASE_TRY(fill_with_mesh(shapes, model, mesh));
        BASE_TRY(soft_soup_finish(shapes));
    }
    BASE_TRY(soft_shapes_add_planes(shapes, model));
    BASE_ALLOC_ZERO(shapes->details, (size_t)model->nmesh * SOFT_DETAILS, "a shape");
    for (int mesh = 0; mesh < model->nmesh; mesh++) {
        BASE_TRY(add_details(shapes, model, mesh, details));
    }
    base_free(shapes->soup);
    shapes->soup = NULL;
    shapes->soup_capacity = 0;
    return TOT_OK;
}

void soft_shapes_free(soft_shapes *shapes) {
    BASE_RELEASE(shapes->x, shapes->y, shapes->z);
    for (int k = 0; k < 3; k++) {
        base_free(shapes->corner_position[k]);
    }
    BASE_RELEASE(shapes->corners, shapes->clusters, shapes->shapes, shapes->details, shapes->soup);
    *shapes = (soft_shapes){0};
}
