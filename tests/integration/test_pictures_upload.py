"""Pictures that operators upload: taken, made anew, shown to everybody, and removed."""

import hashlib
import os
import time

import pytest

from ledger import change, look
from pictures import extent_of, png, seed
from process import eventually

MIB = 1 << 20


def upload(client, data, kind="image/png", **headers):
    return client.post("/admin/pictures", data=data, headers={"Content-Type": kind, **headers})


def uploaded(shop, data=None, kind="image/png"):
    answer = upload(shop.operator, data or png(color=os.urandom(3)), kind)
    assert answer.status == 201, answer.body
    return answer.body


def refused(answer, status=422):
    """The words about the picture."""
    assert answer.status == status, answer.body
    assert answer.fields == {"picture"}
    return answer.body["errors"][0]["message"]


def test_a_large_picture_is_kept_in_three_sizes(shared):
    file = png(2000, 1000)
    made = uploaded(shared, file)
    assert made["hash"] == hashlib.sha256(file).hexdigest()
    assert made["url"] == made["sizes"][-1]["url"] == f"/pictures/{made['hash']}/1280.jpg"
    assert [(size["width"], size["height"]) for size in made["sizes"]] == [(320, 160), (640, 320), (1280, 640)]
    for size in made["sizes"]:
        shown = shared.visitor.get(size["url"], api=False)
        assert shown.status == 200 and len(shown.raw) == size["bytes"]
        assert extent_of(shown.raw) == (size["width"], size["height"])
        assert shown.headers["Content-Type"] == "image/jpeg"
        assert shown.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert shown.headers["Set-Cookie"] is None
        assert shown.headers["X-Content-Type-Options"] == "nosniff"


def test_a_small_one_stays_as_it_is(shared):
    made = uploaded(shared, png(500, 10))
    assert [size["url"].rsplit("/", 1)[1] for size in made["sizes"]] == ["320.jpg", "500.jpg"]
    made = uploaded(shared, png(3, 3))
    assert [size["width"] for size in made["sizes"]] == [3]


def test_a_picture_that_is_known_is_not_asked_for_again(shared):
    url = uploaded(shared)["url"]
    etag = shared.visitor.get(url, api=False).headers["ETag"]
    again = shared.visitor.get(url, api=False, headers={"If-None-Match": etag})
    assert again.status == 304 and again.raw == b"" and again.headers["ETag"] == etag
    head = shared.visitor.head(url, api=False)
    assert head.status == 200 and int(head.headers["Content-Length"]) > 0


def test_the_same_file_is_the_same_picture(shared):
    file = png(color=os.urandom(3))
    first = uploaded(shared, file)
    again = upload(shared.operator, file)
    assert again.status == 200 and again.body == first
    deeds = shared.operator.get("/admin/audit-trail?action=picture&subject=" + first["hash"]).body["entries"]
    assert [(deed["action"], deed["after"]) for deed in deeds] == [("picture.add", {"image_url": first["url"]})]


def test_what_a_camera_wrote_beside_the_picture_is_gone(shared):
    file = seed("turned.jpg")
    assert b"Exif" in file
    answer = upload(shared.operator, file, "image/jpeg")
    assert answer.status in (200, 201)
    [size] = answer.body["sizes"]
    assert (size["width"], size["height"]) == (20, 40), "turned as the camera was held"
    assert b"Exif" not in shared.visitor.get(size["url"], api=False).raw


@pytest.mark.parametrize("name", ["baseline.jpg", "progressive.jpg", "grey.jpg", "rgb.png", "alpha.png", "interlaced.png",
                                  "deep.png", "palette.png", "grey.png"])
def test_every_usual_kind_is_taken(shared, name):
    answer = upload(shared.operator, seed(name), "image/jpeg" if name.endswith(".jpg") else "image/png")
    assert answer.status in (200, 201), answer.body


def test_a_bomb_is_refused_by_its_head(shared):
    words = refused(upload(shared.operator, png(claimed=(30_000, 30_000))))
    assert words == "has 30000 × 30000 pixels: at most 16384 on a side and 32 million in all are taken"
    refused(upload(shared.operator, seed("bomb.jpg"), "image/jpeg"))
    chinese = upload(shared.operator, seed("bomb.png"), **{"Accept-Language": "zh"})
    assert refused(chinese) == "为 30000 × 30000 像素：单边最多 16384 像素，总计最多 32 百万像素"
    # It says that it is small: then its pixels do not fit.
    refused(upload(shared.operator, png(3000, 1000, claimed=(4000, 4000))))


@pytest.mark.parametrize("data, kind, part", [
    (b"", "image/png", "neither a JPEG nor a PNG"),
    (b"GIF89a" + bytes(50), "image/png", "neither a JPEG nor a PNG"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/jpeg", "neither a JPEG nor a PNG"),
    (png(), "image/jpeg", "is PNG, and Content-Type says otherwise"),
    (png()[:60], "image/png", "damaged or cut off"),
    (seed("baseline.jpg")[:-20], "image/jpeg", "damaged or cut off"),
    (seed("cmyk.jpg"), "image/jpeg", "colours for printing"),
])
def test_other_files_are_refused(shared, data, kind, part):
    assert part in refused(upload(shared.operator, data, kind))


def test_other_types_are_refused(shared):
    for kind in ("image/webp", "image/svg+xml", "application/json", "text/html", ""):
        answer = upload(shared.operator, png(), kind)
        assert (answer.status, answer.code) == (415, "unsupported_media_type"), kind
    assert upload(shared.operator, png(), **{"Content-Encoding": "gzip"}).status == 415


def test_only_this_route_takes_a_long_body(shared):
    answer = upload(shared.operator, bytes(8 * MIB))
    assert refused(answer) == "is neither a JPEG nor a PNG picture"
    shared.operator.close()
    answer = upload(shared.operator, bytes(8 * MIB + 1))
    assert answer.status == 413 and str(8 * MIB) in answer.body["detail"], answer.body
    shared.operator.close()
    assert shared.operator.post("/admin/items", data=b" " * 65_537).status == 413
    shared.operator.close()


def test_only_operators_upload_and_remove(shared, shared_buyer):
    made = uploaded(shared)
    for client, status in ((shared.visitor, 401), (shared_buyer, 403)):
        assert upload(client, png()).status == status
        assert client.delete(f"/admin/pictures/{made['hash']}").status == status
    assert shared.visitor.get(made["url"], api=False).status == 200


@pytest.mark.parametrize("path", ["{other}/320.jpg", "{hash}/321.jpg", "{hash}/8.png", "{hash}/08.jpg", "{hash}/0.jpg",
                                  "{upper}/8.jpg", "1/8.jpg", "{hash}", "{hash}/8.jpg/"])
def test_what_is_not_there(shared, path):
    made = uploaded(shared)
    path = path.format(hash=made["hash"], upper="AB" + made["hash"][2:], other="0" * 64)
    assert shared.visitor.get(f"/pictures/{path}", api=False).status == 404


def test_an_item_shows_it_and_keeps_it(shared):
    made = uploaded(shared)
    item = shared.item(image_url=made["url"], pictures=["/assets/demo/tea-set.svg"])
    assert item["image_url"] == made["url"]
    sale = shared.sale(item_id=item["id"])["id"]
    assert made["url"].encode() in shared.visitor.get(f"/s/{sale}", api=False).raw, "previews of messengers show it"
    kept = shared.operator.delete(f"/admin/pictures/{made['hash']}")
    assert (kept.status, kept.code) == (409, "conflict")
    edited = shared.operator.put(f"/admin/items/{item['id']}", {"image_url": ""})
    assert edited.status == 200
    assert shared.operator.delete(f"/admin/pictures/{made['hash']}").status == 204
    assert shared.operator.delete(f"/admin/pictures/{made['hash']}").status == 404
    assert shared.visitor.get(made["url"], api=False).status == 404
    [removed, _] = shared.operator.get("/admin/audit-trail?subject=" + made["hash"]).body["entries"]
    assert removed["action"] == "picture.remove"


def test_unused_ones_go_after_a_week(start_shop):
    shop = start_shop()
    unused, fresh, shown = (uploaded(shop) for _ in range(3))
    shop.item(pictures=[shown["url"]])
    shop.stop()
    week = 7 * 86_400_000
    for made, age in ((unused, week + 1000), (fresh, week - 60_000), (shown, 2 * week)):
        change(shop, "UPDATE pictures SET used_at = ?2 WHERE hash = ?1", bytes.fromhex(made["hash"]),
               round(time.time() * 1000) - age)
    shop.server.start()
    eventually(lambda: look(shop, "SELECT count(*) FROM pictures") == [(2,)], what="the pruning")
    assert look(shop, "SELECT count(*) FROM picture_sizes") == [(2,)]
    visitor = shop.client()
    assert visitor.get(unused["url"], api=False).status == 404
    for made in (fresh, shown):
        assert visitor.get(made["url"], api=False).status == 200
