#ifndef PORTOLAN_FILE_READING_H
#define PORTOLAN_FILE_READING_H
#include <stddef.h>
#include <stdint.h>

/// Which version of which file is open: two states differ if the file was written in between.
typedef struct {
  uint64_t device, inode;
  int64_t size;
  int64_t modified_seconds, modified_nanoseconds;
  int64_t changed_seconds, changed_nanoseconds;
  int32_t is_regular;
} portolan_file_state;

/// A descriptor of a file to be read, which never waits for a writer; else less the error's number.
int portolan_open_file(const char *_Nonnull path);

/// 0, or less the error's number.
int portolan_state_of_file(int file, portolan_file_state *_Nonnull state);

/// The number of bytes read from an offset on, fewer only where the file ends; else less the
/// error's number.
int64_t portolan_read_file(int file, void *_Nonnull target, size_t count, int64_t offset);

/// Asks for the pages of memory that is about to be filled for the first time: one call costs less
/// than a fault a page. Of memory that is in use nothing changes.
void portolan_ask_for_pages(void *_Nonnull target, size_t count);

void portolan_close_file(int file);

/// The words of an error's number, cut to `size`.
void portolan_error_words(int number, char *_Nonnull words, size_t size);

#endif
