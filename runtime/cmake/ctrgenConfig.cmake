# SPDX-License-Identifier: BSD-3-Clause
# find_package(ctrgen): statistics as a library of a CMake project.
#
#   ctrgen_add(NAME SCHEMA PORT posix|dpdk [SYNC STRATEGY] [BESIDE_DPDK] [WITH PART...])
#
# generates C from SCHEMA whenever it changes, and adds a library NAME: link to it, and its header
# and the runtime for PORT are there. SYNC replaces the strategy of the schema. BESIDE_DPDK, with
# PORT posix: there is DPDK in the program, and only plain threads count. WITH names parts of the
# runtime that only some applications need: segment, openmetrics, telemetry. They are the
# components of the package, so find_package(ctrgen COMPONENTS segment) finds one that has them.
#
# This file is beside the sources of the runtime (`ctrgen runtime --cmake`), of which ctrgen makes an
# archive, or installed with the runtime, which pkg-config then finds.

cmake_policy(VERSION 3.20...3.30)

find_program(CTRGEN_EXECUTABLE ctrgen DOC "Generates statistics code")
get_filename_component(_ctrgen_runtime "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
# Functions are global, so their variables are as well, wherever the package is found.
set(_ctrgen_runtime "${_ctrgen_runtime}" CACHE INTERNAL "")
mark_as_advanced(CTRGEN_EXECUTABLE)
if(NOT CTRGEN_EXECUTABLE)
  set(ctrgen_FOUND FALSE)
  set(ctrgen_NOT_FOUND_MESSAGE
    "no ctrgen on the PATH: install it, or set CTRGEN_EXECUTABLE")
endif()

set(_ctrgen_parts segment openmetrics xdp telemetry CACHE INTERNAL "")
foreach(component IN LISTS ctrgen_FIND_COMPONENTS)
  if("${component}" IN_LIST _ctrgen_parts)
    set(ctrgen_${component}_FOUND TRUE)
  elseif(ctrgen_FIND_REQUIRED_${component})
    set(ctrgen_FOUND FALSE)
    set(ctrgen_NOT_FOUND_MESSAGE "no part '${component}': there are ${_ctrgen_parts}")
  endif()
endforeach()

# The target of the runtime for a port with parts, into the variable `result`: installed beside this
# file, or the archive that ctrgen builds once for a compiler and its flags.
function(_ctrgen_find_runtime result port parts)
  list(JOIN parts "_" suffix)
  set(target ctrgen_runtime_${port}_${suffix})
  foreach(part IN LISTS parts)
    if(NOT "${part}" IN_LIST _ctrgen_parts)
      message(FATAL_ERROR "ctrgen_add: no part '${part}': there are ${_ctrgen_parts}")
    endif()
    if("${part}" STREQUAL "telemetry" AND NOT "${port}" STREQUAL "dpdk")
      message(FATAL_ERROR "ctrgen_add: the part '${part}' needs DPDK: write PORT dpdk")
    endif()
  endforeach()
  if(NOT EXISTS "${_ctrgen_runtime}/src")
    list(TRANSFORM parts APPEND "-${port}")
    list(TRANSFORM parts PREPEND "ctr-runtime-")
    find_package(PkgConfig REQUIRED)
    if(NOT TARGET PkgConfig::${target})
      pkg_check_modules(${target} REQUIRED IMPORTED_TARGET GLOBAL ${parts} ctr-runtime-${port})
    endif()
    set(target PkgConfig::${target})
  elseif(NOT TARGET ${target})
    _ctrgen_build_runtime(${target} ${port} "${parts}")
  endif()
  set(${result} ${target} PARENT_SCOPE)
endfunction()

function(_ctrgen_build_runtime target port parts)
  string(TOUPPER "${port}" define)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(words runtime --port ${port} --archive)
  foreach(part IN LISTS parts)
    list(APPEND words --with ${part})
  endforeach()
  set(flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
  if(NOT flags MATCHES "-O")
    string(PREPEND flags "-O2 ")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "CC='${CMAKE_C_COMPILER}'${CMAKE_C_COMPILER_ARG1}" "CFLAGS=${flags}"
      "${CTRGEN_EXECUTABLE}" ${words} --lines
    OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE errors
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${errors}")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${_ctrgen_runtime}/include")
  target_compile_definitions(${target} INTERFACE CTR_PORT_${define}=1)
  target_link_libraries(${target} INTERFACE "${archive}")
  set(needed "")
  if("openmetrics" IN_LIST parts)
    list(APPEND needed libmicrohttpd zlib)
  endif()
  if("xdp" IN_LIST parts)
    list(APPEND needed libbpf)
  endif()
  if(port STREQUAL "dpdk")
    list(APPEND needed libdpdk>=22.11)
    target_compile_definitions(${target} INTERFACE ALLOW_EXPERIMENTAL_API)
  else()
    find_package(Threads REQUIRED)
    target_link_libraries(${target} INTERFACE Threads::Threads)
  endif()
  if(needed)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(${target}_needed REQUIRED IMPORTED_TARGET GLOBAL ${needed})
    target_link_libraries(${target} INTERFACE PkgConfig::${target}_needed)
  endif()
endfunction()

function(ctrgen_add name schema)
  cmake_parse_arguments(PARSE_ARGV 2 arg "BESIDE_DPDK" "PORT;SYNC" "WITH")
  string(REPLACE "," ";" arg_WITH "${arg_WITH}")
  list(REMOVE_DUPLICATES arg_WITH)
  set(usage "write ctrgen_add(${name} ${schema} PORT posix), or PORT dpdk")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "ctrgen_add: no '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}' here: ${usage}")
  endif()
  if(NOT "${arg_PORT}" MATCHES "^(posix|dpdk)$")
    message(FATAL_ERROR "ctrgen_add: no port '${arg_PORT}': ${usage}")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "ctrgen_add: the statistics are C: write project(... LANGUAGES C CXX)")
  endif()

  get_filename_component(schema "${schema}" ABSOLUTE)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}.ctrgen")
  set(build "${CTRGEN_EXECUTABLE}" build "${schema}" -o "${out}" --only c)
  if(arg_SYNC)
    list(APPEND build --sync "${arg_SYNC}")
  endif()
  # The names of the files; another module in the schema is another name.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${schema}")
  execute_process(COMMAND ${build} --list-outputs
    OUTPUT_VARIABLE files ERROR_VARIABLE errors RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${errors}")
  endif()
  string(STRIP "${files}" files)
  string(REPLACE "\n" ";" files "${files}")
  # Files whose text stays keep their time, so the stamp is what the command makes.
  set(stamp "${out}/${name}.stamp")
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${files}
    COMMAND ${build} --quiet --depfile "${out}.d" --stamp "${stamp}"
    MAIN_DEPENDENCY "${schema}" DEPFILE "${out}.d" VERBATIM
    COMMENT "Generating the statistics ${name}")

  _ctrgen_find_runtime(runtime ${arg_PORT} "${arg_WITH}")
  set(sources ${files})
  list(FILTER sources INCLUDE REGEX "\\.c$")
  add_library(${name} STATIC ${sources} "${stamp}")
  target_include_directories(${name} PUBLIC "${out}")
  target_link_libraries(${name} PUBLIC ${runtime})
  if(arg_BESIDE_DPDK)
    target_compile_definitions(${name} PUBLIC CTR_POSIX_BESIDE_DPDK=1)
  endif()
  set_target_properties(${name} PROPERTIES
    C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
endfunction()
