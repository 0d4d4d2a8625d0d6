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

# The installed archive is one object whose internal names do not meet those of a program.
$(B)/install/libeccel.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(LD) -r -o $(@D)/libeccel.o $^
	objcopy --localize-hidden $(@D)/libeccel.o
	ar rcs $@ $(@D)/libeccel.o

# Made at each installation: the places are not known to make.
.PHONY: $(B)/install/eccel.pc install-lib uninstall-lib
$(B)/install/eccel.pc: $(SW)/driver/eccel.pc.in
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(LIB_MAJOR).$(LIB_MINOR)|' $< > $@

install: install-lib
uninstall: uninstall-lib

MANDIR ?= $(PREFIX)/share/man
INCLUDEDIR ?= $(PREFIX)/include
LIB_INSTALLED := libeccel.so.$(LIB_MAJOR).$(LIB_MINOR)

install-lib: $(LIB_SO) $(B)/install/libeccel.a $(B)/install/eccel.pc
	install -D -m 644 $(SW)/include/eccel.h $(DESTDIR)$(INCLUDEDIR)/eccel.h
	install -D -m 755 $(LIB_SO) $(DESTDIR)$(LIBDIR)/$(LIB_INSTALLED)
	ln -sf $(LIB_INSTALLED) $(DESTDIR)$(LIBDIR)/libeccel.so.$(LIB_MAJOR)
	ln -sf libeccel.so.$(LIB_MAJOR) $(DESTDIR)$(LIBDIR)/libeccel.so
	install -D -m 644 $(B)/install/libeccel.a $(DESTDIR)$(LIBDIR)/libeccel.a
	install -D -m 644 $(B)/install/eccel.pc $(DESTDIR)$(LIBDIR)/pkgconfig/eccel.pc
	install -D -m 644 $(SW)/man/eccel.3 $(DESTDIR)$(MANDIR)/man3/eccel.3
	install -D -m 644 $(SW)/man/eccel_uri.7 $(DESTDIR)$(MANDIR)/man7/eccel_uri.7

uninstall-lib:
	rm -f $(DESTDIR)$(INCLUDEDIR)/eccel.h $(DESTDIR)$(LIBDIR)/pkgconfig/eccel.pc
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(LIB_INSTALLED) libeccel.so.$(LIB_MAJOR) libeccel.so libeccel.a)
	rm -f $(DESTDIR)$(MANDIR)/man3/eccel.3 $(DESTDIR)$(MANDIR)/man7/eccel_uri.7

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
