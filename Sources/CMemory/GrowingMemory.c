#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "GrowingMemory.h"

#include <stdlib.h>
#include <string.h>

static void *or_end(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

/// Up to here, memory to be had at once is quicker to clear than clear memory to be found.
static const size_t small = 1 << 10;

static void *small_zeros(size_t size) {
  return size <= small ? memset(or_end(malloc(size)), 0, size) : or_end(calloc(1, size));
}

#ifdef __linux__
#include <sys/mman.h>

/// From here on, memory has pages of its own.
static const size_t mapped = (size_t)1 << 20;
/// From here on, large pages are asked for: a fault for each 2 MiB instead of each 4 KiB.
static const size_t huge = (size_t)8 << 20;

static void *pages(void *memory) { return or_end(memory == MAP_FAILED ? NULL : memory); }

void *portolan_resize(void *base, size_t old, size_t size) {
  if (size < mapped && old < mapped) return or_end(realloc(base, size));
  void *resized;
  if (old >= mapped && size >= mapped) {
    resized = pages(mremap(base, old, size, MREMAP_MAYMOVE));
  } else {
    const int access = PROT_READ | PROT_WRITE;
    resized = size < mapped
                  ? or_end(malloc(size))
                  : pages(mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base != NULL) memcpy(resized, base, old < size ? old : size);
    portolan_give_back(base, old);
  }
  if (size >= huge) madvise(resized, size, MADV_HUGEPAGE);
  return resized;
}

void *portolan_zeros(size_t size) {
  if (size < mapped) return small_zeros(size);
  return pages(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void portolan_give_back(void *base, size_t size) {
  if (size < mapped) {
    free(base);
  } else {
    munmap(base, size);
  }
}

#else

void *portolan_zeros(size_t size) { return small_zeros(size); }

void *portolan_resize(void *base, size_t old, size_t size) {
  (void)old;
  return or_end(realloc(base, size));
}

void portolan_give_back(void *base, size_t size) {
  (void)size;
  free(base);
}

#endif
