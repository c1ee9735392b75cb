#ifndef PORTOLAN_GROWING_MEMORY_H
#define PORTOLAN_GROWING_MEMORY_H
#include <stddef.h>

/// Memory of `size` bytes that begins with the `old` bytes at `base`, which is then gone; `base` is
/// NULL and `old` 0 at first. Where there is none the process ends, as it does for Swift's own.
///
/// Large memory has pages of its own, which the system moves: nothing is copied, and what is given
/// back is free for others at once.
void *_Nonnull portolan_resize(void *_Nullable base, size_t old, size_t size);

/// Memory of `size` bytes, all 0, to be resized and given back as above.
void *_Nonnull portolan_zeros(size_t size);

/// Gives memory of `size` bytes back that came from `portolan_resize`.
void portolan_give_back(void *_Nullable base, size_t size);

#endif
