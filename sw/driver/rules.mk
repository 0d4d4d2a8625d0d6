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
