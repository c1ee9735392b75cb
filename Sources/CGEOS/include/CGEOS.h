#ifndef PORTOLAN_CGEOS_H
#define PORTOLAN_CGEOS_H

/// The calls of GEOS that operations on shapes need, found when the first one is wanted.
///
/// The library is no part of the build and of no start of the program: see
/// Docs/decisions/geos-at-run-time.md. The declarations follow its reference,
/// https://libgeos.org/doxygen/geos__c_8h.html; GEOS 3.9 and later have all that are needed.

#include <stddef.h>

typedef struct GEOSContextHandle_HS *GEOSContextHandle_t;
typedef struct GEOSGeom_t GEOSGeometry;
typedef struct GEOSPrepGeom_t GEOSPreparedGeometry;
typedef struct GEOSCoordSeq_t GEOSCoordSequence;
typedef struct GEOSBufParams_t GEOSBufferParams;
typedef void(GEOSInterruptCallback)(void);
typedef void (*GEOSMessageHandler_r)(const char *_Nullable message, void *_Nullable place);

#define H GEOSContextHandle_t _Nullable
#define G const GEOSGeometry *_Nullable
#define MADE GEOSGeometry *_Nullable

/// Each call: its result, its name, its parameters.
#define PORTOLAN_GEOS_CALLS(CALL)                                                                  \
  CALL(H, GEOS_init_r, (void))                                                                     \
  CALL(void, GEOS_finish_r, (H))                                                                   \
  CALL(GEOSMessageHandler_r _Nullable, GEOSContext_setErrorMessageHandler_r,                       \
       (H, GEOSMessageHandler_r _Nullable, void *_Nullable))                                       \
  CALL(GEOSInterruptCallback *_Nullable, GEOS_interruptRegisterCallback,                           \
       (GEOSInterruptCallback * _Nullable))                                                        \
  CALL(void, GEOS_interruptRequest, (void))                                                        \
  CALL(void, GEOS_interruptCancel, (void))                                                         \
  CALL(GEOSCoordSequence *_Nullable, GEOSCoordSeq_create_r, (H, unsigned, unsigned))               \
  CALL(int, GEOSCoordSeq_setXY_r, (H, GEOSCoordSequence *_Nullable, unsigned, double, double))     \
  CALL(int, GEOSCoordSeq_setZ_r, (H, GEOSCoordSequence *_Nullable, unsigned, double))              \
  CALL(int, GEOSCoordSeq_getXY_r,                                                                  \
       (H, const GEOSCoordSequence *_Nullable, unsigned, double *_Nullable, double *_Nullable))    \
  CALL(int, GEOSCoordSeq_getZ_r,                                                                   \
       (H, const GEOSCoordSequence *_Nullable, unsigned, double *_Nullable))                       \
  CALL(int, GEOSCoordSeq_getSize_r, (H, const GEOSCoordSequence *_Nullable, unsigned *_Nullable))  \
  CALL(void, GEOSCoordSeq_destroy_r, (H, GEOSCoordSequence *_Nullable))                            \
  CALL(MADE, GEOSGeom_createPoint_r, (H, GEOSCoordSequence *_Nullable))                            \
  CALL(MADE, GEOSGeom_createLineString_r, (H, GEOSCoordSequence *_Nullable))                       \
  CALL(MADE, GEOSGeom_createLinearRing_r, (H, GEOSCoordSequence *_Nullable))                       \
  CALL(MADE, GEOSGeom_createPolygon_r,                                                             \
       (H, GEOSGeometry *_Nullable, GEOSGeometry *_Nullable *_Nullable, unsigned))                 \
  CALL(MADE, GEOSGeom_createCollection_r,                                                          \
       (H, int, GEOSGeometry *_Nullable *_Nullable, unsigned))                                     \
  CALL(void, GEOSGeom_destroy_r, (H, GEOSGeometry *_Nullable))                                     \
  CALL(MADE, GEOSGeom_clone_r, (H, G))                                                             \
  CALL(int, GEOSGeomTypeId_r, (H, G))                                                              \
  CALL(int, GEOSGetNumGeometries_r, (H, G))                                                        \
  CALL(int, GEOSGetNumCoordinates_r, (H, G))                                                       \
  CALL(G, GEOSGetGeometryN_r, (H, G, int))                                                         \
  CALL(G, GEOSGetExteriorRing_r, (H, G))                                                           \
  CALL(int, GEOSGetNumInteriorRings_r, (H, G))                                                     \
  CALL(G, GEOSGetInteriorRingN_r, (H, G, int))                                                     \
  CALL(const GEOSCoordSequence *_Nullable, GEOSGeom_getCoordSeq_r, (H, G))                         \
  CALL(char, GEOSisEmpty_r, (H, G))                                                                \
  CALL(char, GEOSisValid_r, (H, G))                                                                \
  CALL(char, GEOSHasZ_r, (H, G))                                                                   \
  CALL(int, GEOSArea_r, (H, G, double *_Nullable))                                                 \
  CALL(MADE, GEOSBuffer_r, (H, G, double, int))                                                    \
  CALL(MADE, GEOSIntersection_r, (H, G, G))                                                        \
  CALL(MADE, GEOSDifference_r, (H, G, G))                                                          \
  CALL(MADE, GEOSUnaryUnion_r, (H, G))                                                             \
  CALL(MADE, GEOSLineMerge_r, (H, G))                                                              \
  CALL(MADE, GEOSMakeValid_r, (H, G))                                                              \
  CALL(MADE, GEOSGetCentroid_r, (H, G))                                                            \
  CALL(MADE, GEOSPointOnSurface_r, (H, G))                                                         \
  CALL(MADE, GEOSConvexHull_r, (H, G))                                                             \
  CALL(const GEOSPreparedGeometry *_Nullable, GEOSPrepare_r, (H, G))                               \
  CALL(void, GEOSPreparedGeom_destroy_r, (H, const GEOSPreparedGeometry *_Nullable))               \
  CALL(char, GEOSPreparedIntersects_r, (H, const GEOSPreparedGeometry *_Nullable, G))              \
  CALL(char, GEOSPreparedCovers_r, (H, const GEOSPreparedGeometry *_Nullable, G))

/// Calls of GEOS 3.10 and later, which are faster; `NULL` in older ones.
#define PORTOLAN_GEOS_NEWER_CALLS(CALL)                                                            \
  CALL(GEOSCoordSequence *_Nullable, GEOSCoordSeq_copyFromBuffer_r,                                \
       (H, const double *_Nullable, unsigned, int, int))                                           \
  CALL(int, GEOSCoordSeq_copyToBuffer_r,                                                           \
       (H, const GEOSCoordSequence *_Nullable, double *_Nullable, int, int))

#define PORTOLAN_GEOS_FIELD(result, name, parameters) result(*_Nonnull name) parameters;
#define PORTOLAN_GEOS_NEWER_FIELD(result, name, parameters) result(*_Nullable name) parameters;

/// The calls by their names in the library.
typedef struct {
  PORTOLAN_GEOS_CALLS(PORTOLAN_GEOS_FIELD)
  PORTOLAN_GEOS_NEWER_CALLS(PORTOLAN_GEOS_NEWER_FIELD)
} portolan_geos;

#undef H
#undef G
#undef MADE

/// Finds all calls: returns 1, or 0 if the library is missing or too old. It stays loaded.
int portolan_geos_find(portolan_geos *_Nonnull calls);

/// The last error of a context; the empty text if there was none.
typedef struct {
  char text[256];
} portolan_geos_message;

/// Keeps the errors of a context in a message, which lives longer than the context.
void portolan_geos_listen(const portolan_geos *_Nonnull calls, GEOSContextHandle_t _Nullable handle,
                          portolan_geos_message *_Nonnull message);

/// Begins an operation that is stopped when `isStopped(place)` returns 1, which is asked on the same
/// thread now and then. GEOS has one flag for all threads: a second operation waits here.
void portolan_geos_begin(const portolan_geos *_Nonnull calls,
                         int (*_Nullable isStopped)(void *_Nullable), void *_Nullable place);

/// Ends the operation; returns 1 if it was asked to stop.
int portolan_geos_end(const portolan_geos *_Nonnull calls);

#endif
