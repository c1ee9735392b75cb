#ifndef PORTOLAN_CPROJ_H
#define PORTOLAN_CPROJ_H

/// The calls of PROJ that conversions of coordinates need, found when the first one is wanted.
///
/// The library is no part of the build and of no start of the program: see
/// Docs/decisions/proj-at-run-time.md. The declarations follow its reference,
/// https://proj.org/en/stable/development/reference/; PROJ 6.2 to 9 have them all.

#include <stddef.h>

typedef struct pj_ctx PJ_CONTEXT;
typedef struct PJconsts PJ;
typedef struct PJ_OBJ_LIST PJ_OBJ_LIST;

/// Each call: its result, its name, its parameters.
#define PORTOLAN_PROJ_CALLS(CALL)                                                                  \
  CALL(PJ_CONTEXT *_Nullable, proj_context_create, (void))                                         \
  CALL(PJ_CONTEXT *_Nullable, proj_context_destroy, (PJ_CONTEXT * _Nullable))                      \
  CALL(int, proj_log_level, (PJ_CONTEXT * _Nullable, int))                                         \
  CALL(PJ *_Nullable, proj_create, (PJ_CONTEXT * _Nullable, const char *_Nullable))                \
  CALL(PJ *_Nullable, proj_destroy, (PJ * _Nullable))                                              \
  CALL(int, proj_get_type, (const PJ *_Nullable))                                                  \
  CALL(const char *_Nullable, proj_get_name, (const PJ *_Nullable))                                \
  CALL(const char *_Nullable, proj_get_id_code, (const PJ *_Nullable, int))                        \
  CALL(const char *_Nullable, proj_get_id_auth_name, (const PJ *_Nullable, int))                   \
  CALL(PJ *_Nullable, proj_create_crs_to_crs,                                                      \
       (PJ_CONTEXT * _Nullable, const char *_Nullable, const char *_Nullable, void *_Nullable))    \
  CALL(PJ *_Nullable, proj_normalize_for_visualization,                                            \
       (PJ_CONTEXT * _Nullable, const PJ *_Nullable))                                              \
  CALL(size_t, proj_trans_generic,                                                                 \
       (PJ * _Nullable, int, double *_Nullable, size_t, size_t, double *_Nullable, size_t, size_t, \
        double *_Nullable, size_t, size_t, double *_Nullable, size_t, size_t))                     \
  CALL(int, proj_errno_reset, (PJ * _Nullable))                                                    \
  CALL(PJ *_Nullable, proj_crs_get_coordinate_system,                                              \
       (PJ_CONTEXT * _Nullable, const PJ *_Nullable))                                              \
  CALL(PJ *_Nullable, proj_crs_get_sub_crs, (PJ_CONTEXT * _Nullable, const PJ *_Nullable, int))    \
  CALL(int, proj_cs_get_axis_info,                                                                 \
       (PJ_CONTEXT * _Nullable, const PJ *_Nullable, int, const char *_Nullable *_Nullable,        \
        const char *_Nullable *_Nullable, const char *_Nullable *_Nullable, double *_Nullable,     \
        const char *_Nullable *_Nullable, const char *_Nullable *_Nullable,                        \
        const char *_Nullable *_Nullable))                                                         \
  CALL(const char *_Nullable, proj_as_wkt,                                                         \
       (PJ_CONTEXT * _Nullable, const PJ *_Nullable, int, void *_Nullable))                        \
  CALL(PJ_OBJ_LIST *_Nullable, proj_identify,                                                      \
       (PJ_CONTEXT * _Nullable, const PJ *_Nullable, const char *_Nullable, void *_Nullable,       \
        int *_Nullable *_Nullable))                                                                \
  CALL(int, proj_list_get_count, (const PJ_OBJ_LIST *_Nullable))                                   \
  CALL(PJ *_Nullable, proj_list_get,                                                               \
       (PJ_CONTEXT * _Nullable, const PJ_OBJ_LIST *_Nullable, int))                                \
  CALL(void, proj_list_destroy, (PJ_OBJ_LIST * _Nullable))                                         \
  CALL(void, proj_int_list_destroy, (int *_Nullable))

#define PORTOLAN_PROJ_FIELD(result, name, parameters) result(*_Nonnull name) parameters;

/// The calls by their names in the library.
typedef struct {
  PORTOLAN_PROJ_CALLS(PORTOLAN_PROJ_FIELD)
} portolan_proj;

/// Finds all calls: returns 1, or 0 if the library is missing or too old. It stays loaded.
int portolan_proj_find(portolan_proj *_Nonnull calls);

#endif
