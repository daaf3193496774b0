#pragma once

#include <string_view>

/// The functions that get the fuzzer's inputs. Each accepts any bytes and ends the process when a
/// promise is broken; a sanitizer finds the rest. One file each, `NAME_fuzz.cpp`, with its seeds in
/// corpus/NAME/.
namespace sluice::fuzz {

void http(std::string_view bytes);       // requests on one connection
void json(std::string_view bytes);       // a request's body
void text(std::string_view bytes);       // instants, addresses, ids, tokens: all of one word
void pass(std::string_view bytes);       // a pass, and what is done to one
void challenge(std::string_view bytes);  // a challenge's id, and an answer
void config(std::string_view bytes);     // a configuration file, and its lines as flags
void broker(std::string_view bytes);     // the body of a message of tickets
void picture(std::string_view bytes);    // a file that somebody uploads as a picture

}  // namespace sluice::fuzz
