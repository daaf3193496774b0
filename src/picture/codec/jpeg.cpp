#include "picture/codec/jpeg.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include <jerror.h>
#include <jpeglib.h>

#include "base/check.hpp"

// libjpeg reports an error by a call that must not return, so each call into it is made by a member
// function that sets a place to jump back to. Such a function has no variable with a destructor,
// and what it changes are members: so the jump skips and clobbers nothing.

namespace sluice {
namespace {

/// Where libjpeg's errors end. Corrupt data, for which it only warns, is an error too.
struct JpegErrors {
    jpeg_error_mgr manager;  // first: libjpeg has a pointer to it
    std::jmp_buf back;
    PictureFlaw flaw;

    static JpegErrors& of(j_common_ptr codec) { return *reinterpret_cast<JpegErrors*>(codec->err); }

    [[noreturn]] static void leave(j_common_ptr codec, PictureFlaw flaw) {
        of(codec).flaw = flaw;
        std::longjmp(of(codec).back, 1);
    }
    [[noreturn]] static void on_error(j_common_ptr codec) {
        const int code = codec->err->msg_code;
        const bool memory = code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE;
        leave(codec, memory ? PictureFlaw::too_complex : PictureFlaw::broken);
    }
    static void on_message(j_common_ptr codec, int level) {
        if (level < 0) leave(codec, PictureFlaw::broken);
    }

    jpeg_error_mgr* make() {
        jpeg_std_error(&manager);
        manager.error_exit = on_error;
        manager.emit_message = on_message;
        flaw = PictureFlaw::broken;
        return &manager;
    }
};

/// False from any call: see flaw().
class JpegDecoder {
  public:
    explicit JpegDecoder(const DecodeBounds& bounds) : bounds_(bounds) {
        codec_.err = errors_.make();
        progress_.manager.progress_monitor = on_progress;
        progress_.most_scans = bounds.scans;
    }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;
    ~JpegDecoder() { jpeg_destroy_decompress(&codec_); }

    PictureFlaw flaw() const { return errors_.flaw; }
    Extent stored() const { return {codec_.image_width, codec_.image_height}; }
    Extent output() const { return {codec_.output_width, codec_.output_height}; }

    bool read_head(std::string_view file) {
        if (setjmp(errors_.back) != 0) return false;
        jpeg_create_decompress(&codec_);
        codec_.mem->max_memory_to_use = static_cast<long>(bounds_.memory_bytes);
        codec_.progress = &progress_.manager;
        jpeg_mem_src(&codec_, reinterpret_cast<const unsigned char*>(file.data()), file.size());
        jpeg_read_header(&codec_, TRUE);
        const auto space = codec_.jpeg_color_space;
        if (space == JCS_YCbCr || space == JCS_GRAYSCALE || space == JCS_RGB) return true;
        errors_.flaw = PictureFlaw::colours;
        return false;
    }

    /// Leaves out what `to` does not need: libjpeg makes a picture of a half, a quarter or an
    /// eighth for less than the whole one.
    bool begin(Extent to) {
        if (setjmp(errors_.back) != 0) return false;
        codec_.out_color_space = JCS_RGB;
        codec_.scale_denom = 8;
        for (codec_.scale_num = 1; codec_.scale_num < 8; codec_.scale_num *= 2) {
            jpeg_calc_output_dimensions(&codec_);
            if (codec_.output_width >= to.width && codec_.output_height >= to.height) break;
        }
        return jpeg_start_decompress(&codec_) != FALSE;
    }

    bool read_row(std::span<std::uint8_t> row) {
        if (setjmp(errors_.back) != 0) return false;
        JSAMPROW rows[] = {row.data()};
        return jpeg_read_scanlines(&codec_, rows, 1) == 1;
    }

    bool finish() {
        if (setjmp(errors_.back) != 0) return false;
        return jpeg_finish_decompress(&codec_) != FALSE;
    }

  private:
    struct Progress {
        jpeg_progress_mgr manager;  // first: libjpeg has a pointer to it
        int most_scans;
    };
    /// A scan costs time for every pixel of the picture, even if it is a few bytes long.
    static void on_progress(j_common_ptr common) {
        const auto* codec = reinterpret_cast<j_decompress_ptr>(common);
        const auto* progress = reinterpret_cast<Progress*>(common->progress);
        if (codec->input_scan_number > progress->most_scans)
            JpegErrors::leave(common, PictureFlaw::too_complex);
    }

    const DecodeBounds bounds_;
    JpegErrors errors_{};
    Progress progress_{};
    jpeg_decompress_struct codec_{};
};

/// Only memory can run out.
class JpegEncoder {
  public:
    JpegEncoder() { codec_.err = errors_.make(); }
    JpegEncoder(const JpegEncoder&) = delete;
    JpegEncoder& operator=(const JpegEncoder&) = delete;
    ~JpegEncoder() {
        jpeg_destroy_compress(&codec_);
        std::free(buffer_);  // NOLINT(cppcoreguidelines-no-malloc): libjpeg took it with malloc
    }

    bool begin(Extent extent, int quality) {
        if (setjmp(errors_.back) != 0) return false;
        jpeg_create_compress(&codec_);
        jpeg_mem_dest(&codec_, &buffer_, &size_);
        codec_.image_width = static_cast<JDIMENSION>(extent.width);
        codec_.image_height = static_cast<JDIMENSION>(extent.height);
        codec_.input_components = Canvas::kChannels;
        codec_.in_color_space = JCS_RGB;
        jpeg_set_defaults(&codec_);
        jpeg_set_quality(&codec_, quality, TRUE);
        codec_.optimize_coding = TRUE;
        jpeg_simple_progression(&codec_);
        jpeg_start_compress(&codec_, TRUE);
        return true;
    }

    bool write_row(std::span<const std::uint8_t> row) {
        if (setjmp(errors_.back) != 0) return false;
        JSAMPROW rows[] = {const_cast<std::uint8_t*>(row.data())};
        return jpeg_write_scanlines(&codec_, rows, 1) == 1;
    }

    bool finish() {
        if (setjmp(errors_.back) != 0) return false;
        jpeg_finish_compress(&codec_);
        return true;
    }

    std::string_view bytes() const { return {reinterpret_cast<const char*>(buffer_), size_}; }

  private:
    JpegErrors errors_{};
    jpeg_compress_struct codec_{};
    unsigned char* buffer_ = nullptr;
    unsigned long size_ = 0;
};

}  // namespace

std::expected<Canvas, PictureFlaw> decode_jpeg(std::string_view file, Extent stored, Extent to,
                                               const DecodeBounds& bounds) {
    const auto decoder = std::make_unique<JpegDecoder>(bounds);
    if (!decoder->read_head(file)) return std::unexpected(decoder->flaw());
    if (decoder->stored() != stored) return std::unexpected(PictureFlaw::broken);
    if (!decoder->begin(to)) return std::unexpected(decoder->flaw());
    Shrinker shrinker(decoder->output(), to);
    std::vector<std::uint8_t> row(decoder->output().width * Canvas::kChannels);
    for (std::size_t y = 0; y < decoder->output().height; ++y) {
        if (!decoder->read_row(row)) return std::unexpected(decoder->flaw());
        shrinker.put(row);
    }
    if (!decoder->finish()) return std::unexpected(decoder->flaw());
    return shrinker.take();
}

std::string encode_jpeg(const Canvas& canvas, int quality) {
    const auto encoder = std::make_unique<JpegEncoder>();
    bool good = encoder->begin(canvas.extent, quality);
    for (std::size_t y = 0; good && y < canvas.extent.height; ++y)
        good = encoder->write_row(canvas.row(y));
    if (!good || !encoder->finish()) throw std::bad_alloc();
    return std::string(encoder->bytes());
}

}  // namespace sluice
