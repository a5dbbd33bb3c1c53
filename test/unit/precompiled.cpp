// A file that has to use the precompiled header for it to be made; see CMakeLists.txt.
