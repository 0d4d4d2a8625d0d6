# libeccel: shared and static library. $(LIB_SO) and $(LIB_A) are for the rules of other parts.
LIB_MAJOR := $(shell sed -n 's/.*ECCEL_VERSION_MAJOR //p' $(SW)/include/eccel.h)
LIB_MINOR := $(shell sed -n 's/.*ECCEL_VERSION_MINOR //p' $(SW)/include/eccel.h)
LIB_SO := $(B)/libeccel.so
LIB_A := $(B)/libeccel.a
LIB_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/driver/*.c $(SW)/driver/gen/*.c))
LIB_OBJECTS := $(call object,$(LIB_SOURCES))

lib: $(LIB_SO) $(LIB_A)

$(LIB_SO): $(LIB_OBJECTS)
	$(CC) -shared -Wl,-soname,libeccel.so.$(LIB_MAJOR) -Wl,-z,defs $^ -o $@ $(ALL_LDFLAGS) -ldl
	ln -sf libeccel.so $@.$(LIB_MAJOR)

$(LIB_A): $(LIB_OBJECTS)
	rm -f $@
	ar rcs $@ $^

-include $(LIB_OBJECTS:.o=.d)

# For microcontrollers: no operating system, no C library. CROSS and TARGET_FLAGS choose the compiler and the processor.
.PHONY: freestanding
CROSS ?= riscv64-unknown-elf-
TARGET_FLAGS ?= -march=rv32imac -mabi=ilp32
FREE := $(B)/freestanding
FREE_SOURCES := $(addprefix driver/,packet.c curve.c catalogue.c wipe.c results.c registers.c mmio.c gen/curves.c)
FREE_OBJECTS := $(FREE_SOURCES:%.c=$(FREE)/%.o)

freestanding: $(FREE)/libeccel.a

$(FREE)/libeccel.a: $(FREE_OBJECTS)
	rm -f $@
	$(CROSS)ar rcs $@ $^

$(FREE)/%.o: $(SW)/%.c
	@mkdir -p $(@D)
	$(CROSS)gcc -std=c11 $(WARN) -Os -ffreestanding -nostdlib -ffunction-sections -fdata-sections -MMD -MP \
		$(TARGET_FLAGS) -I$(SW)/include -I$(SW)/driver -c $< -o $@

-include $(FREE_OBJECTS:.o=.d)
