package stats

import (
	"math"
	"testing"
)

// TestDeviates holds the deviates against tables.
func TestDeviates(t *testing.T) {
	for alpha, want := range map[float64]float64{0.05: 1.959964, 0.01: 2.575829, 0.001: 3.290527, 1e-6: 4.891638} {
		if got := deviate(alpha); math.Abs(got-want) > 1e-5 {
			t.Errorf("%g: got %f, want %f", alpha, got, want)
		}
	}
	for _, x := range []struct {
		alpha   float64
		degrees int
		want    float64
	}{
		{0.05, 1, 12.7062}, {0.05, 2, 4.30265}, {0.05, 3, 3.18245}, {0.05, 4, 2.77645}, {0.05, 5, 2.57058}, {0.05, 10, 2.22814}, {0.05, 30, 2.04227},
		{0.05, 120, 1.97993}, {0.01, 3, 5.84091}, {0.01, 10, 3.16927}, {0.001, 1, 636.619}, {0.001, 2, 31.5991}, {0.001, 3, 12.9240}, {0.001, 4, 8.61030},
		{0.001, 10, 4.58689}, {0.001, 60, 3.46020}, {0.05, 1_000_000, 1.959966},
	} {
		if got := student(x.alpha, x.degrees); math.Abs(got/x.want-1) > 5e-5 {
			t.Errorf("%g, %d degrees: got %f, want %f", x.alpha, x.degrees, got, x.want)
		}
	}
}

// TestIntervals holds intervals against worked examples, and looks at the ends.
func TestIntervals(t *testing.T) {
	// Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
	for s, want := range map[Share]Interval{
		{81, 263}: {0.2553, 0.3662}, {15, 148}: {0.0624, 0.1605}, {0, 20}: {0, 0.1611}, {1, 29}: {0.0061, 0.1718}, {0, 0}: {0, 1}, {20, 20}: {1 - 0.1611, 1},
	} {
		if got := s.Interval(); math.Abs(got.Low-want.Low) > 5e-5 || math.Abs(got.High-want.High) > 5e-5 {
			t.Errorf("%v: got %v, want %v", s, got, want)
		}
	}
	m := Mean{N: 5, Mean: 1000, SD: 200, SE: 200 / math.Sqrt(5)}
	if got, half := m.Interval(), 2.77645*m.SE; math.Abs(got.Low-(1000-half)) > 0.02 || math.Abs(got.High-(1000+half)) > 0.02 {
		t.Errorf("got %v", got)
	}
	if wide := m.IntervalAt(0.999); wide.High-wide.Low < 2*(m.Interval().High-m.Interval().Low) {
		t.Errorf("got %v", wide)
	}
	if got, want := (Mean{N: 1000}).Interval().High, (Share{0, 1000}).Interval().High; got < want || got > 1.1*want {
		t.Errorf("of nothing but 0: got %v, want %v", got, want)
	}
	for n := range 2 {
		if got := (Mean{N: n}).Interval(); !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) {
			t.Errorf("of %d numbers: %v", n, got)
		}
	}
}
