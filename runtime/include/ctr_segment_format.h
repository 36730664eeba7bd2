/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What is in a shared segment (ctr_segment.h): a header, a directory, and one record for each
 * possible instance of each scope. docs/segment.md describes it.
 *
 * All numbers are in the byte order of the machine. The directory is a row of tables; entries name
 * each other by their numbers, and texts by their offset in the last table, so that a reader has
 * checked everything when it has checked each entry once. */
#ifndef CTR_SEGMENT_FORMAT_H
#define CTR_SEGMENT_FORMAT_H

#include <stdint.h>

/** What a segment begins with; 8 bytes with the end of the string. */
#define CTR_SEGMENT_MAGIC "ctrgen\n"
/** Number of this format. Readers take 2, too: parts of keys end before their labels there. */
#define CTR_SEGMENT_VERSION 3u
/** As which a reader of the same byte order reads `byte_order`. */
#define CTR_SEGMENT_BYTE_ORDER UINT32_C(0x01020304)
/** Most bytes of a directory. */
#define CTR_SEGMENT_DIRECTORY_MAX (UINT32_C(64) << 20)
/** Most levels of indexes. */
#define CTR_SEGMENT_LEVELS 128u

/** State of the application. */
enum ctr_segment_state {
	CTR_SEGMENT_LIVE,  /**< It publishes, or was killed: then no thread has the lock. */
	CTR_SEGMENT_FINAL, /**< It has stopped counting; the values are final. */
	CTR_SEGMENT_CLOSED /**< It has closed the segment without final values. */
};

/** The tables of the directory. */
enum ctr_segment_tables {
	CTR_SEGMENT_MODULES,    /**< struct ctr_segment_module */
	CTR_SEGMENT_SCOPES,     /**< struct ctr_segment_scope */
	CTR_SEGMENT_INDEXES,    /**< struct ctr_segment_index */
	CTR_SEGMENT_PARTS,      /**< struct ctr_segment_part */
	CTR_SEGMENT_ITEMS,      /**< struct ctr_segment_item */
	CTR_SEGMENT_LABELS,     /**< struct ctr_segment_label */
	CTR_SEGMENT_HISTOGRAMS, /**< struct ctr_segment_histogram */
	CTR_SEGMENT_BOUNDS,     /**< uint64_t */
	CTR_SEGMENT_VIEWS,      /**< uint32_t: name */
	CTR_SEGMENT_TEXT,       /**< char; ends in '\0' */
	CTR_SEGMENT_TABLES      /**< How many there are. */
};

/** Where a table is. */
struct ctr_segment_table {
	uint32_t offset; /**< From the beginning of the directory; a multiple of 8. */
	uint32_t count;  /**< How many entries it has. */
};

/** The beginning of a segment. The members up to @ref table are constant. */
struct ctr_segment_header {
	char magic[8];             /**< CTR_SEGMENT_MAGIC */
	uint32_t version;          /**< CTR_SEGMENT_VERSION */
	uint32_t byte_order;       /**< CTR_SEGMENT_BYTE_ORDER */
	uint64_t size;             /**< Bytes of the segment. */
	uint64_t layout;           /**< ctr_segment_hash() of the directory: identity of data. */
	uint64_t generation;       /**< A number that each segment has for itself. */
	uint64_t start_ns;         /**< Unix time at which counting began. */
	uint64_t clock_ns;         /**< Unix time when ctr_time_ns() was 0. */
	uint64_t pid;              /**< Process that publishes, as it sees itself. */
	uint32_t directory;        /**< Offset of the directory; a multiple of 8. */
	uint32_t directory_size;   /**< Its bytes. */
	struct ctr_segment_table table[CTR_SEGMENT_TABLES]; /**< By enum ctr_segment_tables. */
	uint64_t published_ns;     /**< Unix time of the last publication; changes. */
	uint64_t publications;     /**< How many there were; changes. */
	uint32_t state;            /**< An enum ctr_segment_state; changes. */
	uint32_t successor;        /**< Process that took over; 0: none; changes. */
};

/** A module. */
struct ctr_segment_module {
	uint32_t name;        /**< Text. */
	uint32_t description; /**< Text. */
	uint32_t first_scope; /**< Its scopes. */
	uint32_t num_scopes;  /**< How many. */
	uint32_t first_view;  /**< Names of its views. */
	uint32_t num_views;   /**< How many. */
};

/** A scope. Those that are embedded are not in a segment. Offsets are from a record's beginning. */
struct ctr_segment_scope {
	uint64_t records;     /**< Offset of the first record in the segment; a multiple of 8. */
	uint64_t exists;      /**< Offset of words of 64 bits with a bit for each instance. */
	uint32_t name;        /**< Text. */
	uint32_t description; /**< Text. */
	uint32_t strategy;    /**< Text. */
	uint32_t storage;     /**< An enum ctr_storage. */
	uint32_t consistent;  /**< Whether the counters of a record belong together. */
	uint32_t total;       /**< Number of records: the product of the maxima of indexes. */
	uint32_t stride;      /**< Bytes of a record; a multiple of 8. */
	uint32_t values;      /**< Offset of the value struct; a multiple of 8. */
	uint32_t value_size;  /**< Its bytes. */
	uint32_t views;       /**< Offset of the value structs of views; 0: there are none. */
	uint32_t num_views;   /**< How many, each a multiple of 8 bytes apart. */
	uint32_t key;         /**< Offset of the struct of its own key; 0: it has none. */
	uint32_t key_size;    /**< Its bytes. */
	uint32_t text;        /**< Offset of the texts of the keys of all levels; 0: no keys. */
	uint32_t text_size;   /**< Their bytes. */
	uint32_t first_index; /**< Its indexes, outermost first. */
	uint32_t num_indexes; /**< How many. */
	uint32_t first_item;  /**< Its items. */
	uint32_t num_items;   /**< How many. */
	uint32_t first_histogram; /**< Its histograms. */
	uint32_t num_histograms;  /**< How many. */
	uint32_t num_displays; /**< Labels behind those of its items: struct ctr_display. */
};

/** An index. */
struct ctr_segment_index {
	uint32_t name;        /**< Text. */
	uint32_t maximum;     /**< It runs from 0 to one less. */
	uint32_t first_label; /**< Names of its values. */
	uint32_t num_labels;  /**< As many as its maximum, or 0. */
	uint32_t first_part;  /**< The parts of the keys of that level. */
	uint32_t num_parts;   /**< How many; 0: the index itself names instances. */
};

/** A part of a key. */
struct ctr_segment_part {
	uint32_t name;   /**< Text. */
	uint32_t type;   /**< An enum ctr_key_type. */
	uint32_t offset; /**< In the struct of the key. */
	uint32_t size;   /**< Bytes in there. */
	uint32_t text;   /**< Offset of its text in those of the record; ends in '\0'. */
	uint32_t room;   /**< Bytes for that. */
	uint32_t first_label; /**< Labels of an enum. */
	uint32_t num_labels;  /**< How many. */
};

/** A counter, gauge or state. */
struct ctr_segment_item {
	uint64_t minimum;     /**< Least value of a gauge. */
	uint64_t maximum;     /**< Greatest value of a gauge or counter. */
	uint32_t name;        /**< Text. */
	uint32_t unit;        /**< Text; empty for none. */
	uint32_t description; /**< Text. */
	uint32_t kind;        /**< An enum ctr_kind. */
	uint32_t type;        /**< An enum ctr_type. */
	uint32_t width;       /**< Bits of a counter or gauge; 0 for states. */
	uint32_t offset;      /**< In the value struct. */
	uint32_t size;        /**< Bytes in there. */
	uint32_t first_label; /**< Labels of an enum. */
	uint32_t num_labels;  /**< How many. */
	uint32_t available;   /**< Offset in there of a byte: 0 without a value; 0: always. */
	uint32_t source;      /**< An enum ctr_source. */
};

/** A label of an enum, or of an index; or what people see instead of a name of a scope. */
struct ctr_segment_label {
	uint32_t name; /**< Text; `of` of a struct ctr_display. */
	int32_t value; /**< Its number; text of a struct ctr_display. */
};

/** A histogram. Its counters are items: one more than bounds from @ref item on, then the sum. */
struct ctr_segment_histogram {
	uint32_t name;        /**< Text. */
	uint32_t unit;        /**< Text. */
	uint32_t description; /**< Text. */
	uint32_t first_bound; /**< Greatest value of each bucket but the last. */
	uint32_t num_bounds;  /**< How many. */
	uint32_t item;        /**< Number, in its scope, of the item that is the first bucket. */
};

/** Flag of a record: the instance exists. */
#define CTR_SEGMENT_EXISTS 0x01u
/** Flag of a record: the counters may not belong together, though the scope is consistent. */
#define CTR_SEGMENT_TORN 0x02u
/** Flag of a record: it has its keys. Without, the texts are empty. */
#define CTR_SEGMENT_KEYED 0x04u

/** The beginning of a record. The words behind @ref seq are written while it is odd. */
struct ctr_segment_record {
	uint32_t seq;      /**< Sequence count: odd while the record is being written. */
	uint32_t flags;    /**< CTR_SEGMENT_EXISTS and the others. */
	uint64_t since_ns; /**< Unix time of its last discontinuity; 0: when counting began. */
	uint64_t life;     /**< For the writer: of the keys whose texts it has. */
};

/** What `layout` is: FNV-1a of 64 bits, of words of 64 bits, over a directory. */
static inline uint64_t
ctr_segment_hash(const void *directory, uint32_t size)
{
	const uint64_t *words = (const uint64_t *)directory;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (uint32_t i = 0; i < size / 8; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif /* CTR_SEGMENT_FORMAT_H */
