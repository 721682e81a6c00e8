package main

// order, line and maps are records of the same names on the other side.
type order struct {
	ID    string            `json:"id"`
	Cents int64             `json:"cents"`
	Gift  bool              `json:"gift"`
	Photo []byte            `json:"photo"`
	Lines []line            `json:"lines"`
	Notes map[string]string `json:"notes"`
	Next  *order            `json:"next"`
}

type line struct {
	Item     string `json:"item"`
	Quantity int    `json:"quantity"`
}

type colour string

type maps struct {
	Name     string            `json:"name"`
	Numbers  map[int]int64     `json:"numbers"`
	Colours  map[colour]colour `json:"colours"`
	Texts    map[string]line   `json:"texts"`
	Untyped  map[string]any    `json:"untyped"`
	Existing bool              `json:"existing"`
}

// structs is one value of each kind.
var structs = map[string]any{
	"order": order{ID: "o-1", Cents: 9_007_199_254_740_993, Gift: true, Photo: []byte{0, 255, 62},
		Lines: []line{{"book", 2}, {"pen", 1}}, Notes: map[string]string{"b": "grün ☕", "a": ""},
		Next: &order{ID: "o-2", Lines: []line{}}},
	"zero": order{},
	"maps": maps{Name: "m", Numbers: map[int]int64{9: 1, 10: 2, -1: 3, 100: 4},
		Colours: map[colour]colour{"RED": "BLUE", "BLUE": "RED"},
		Texts:   map[string]line{"\"": {"quote", 1}, "A": {"letter", 2}, "é": {"accent", 3}, "\uff5e": {"wide", 4}, "🦊": {"fox", 5}},
		Untyped: map[string]any{"z": 1, "b": []any{2, 1, map[string]any{"y": true, "x": nil}}, "a": map[string]any{"d": "2", "c": "1"}}},
	"tree": map[string]any{"z": 12345678901234567, "k": []any{map[string]any{"b": 1, "a": 1.5}}, "a": map[string]any{"10": 0, "9": 0}},
}
