package io.asynq.reliability.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A flat value varies, but is at the end what it was at the beginning. */
final class Course {

	/** Samples that are left out while the JVM still loads classes and fills pools. */
	private static final int WARM_UP = 2;

	private final List<Vitals> samples = new ArrayList<>();

	void add(Vitals vitals) {
		this.samples.add(vitals);
	}

	int size() {
		return this.samples.size();
	}

	long highestHeap() {
		return this.samples.stream().mapToLong(Vitals::heap).max().orElse(0);
	}

	List<String> growth() {
		List<String> grown = new ArrayList<>();
		check(grown, "heap after GC, KiB", Vitals::heap, 2 * 1024, 0.05);
		check(grown, "threads", Vitals::threads, 2, 0);
		check(grown, "file handles", Vitals::handles, 4, 0);
		check(grown, "sockets", Vitals::sockets, 2, 0);
		return grown;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "heap after GC %s KiB, threads %s, file handles %s, sockets %s (%d samples)",
				range(Vitals::heap), range(Vitals::threads), range(Vitals::handles), range(Vitals::sockets),
				this.samples.size());
	}

	private void check(List<String> grown, String what, ToLongFunction<Vitals> value, long slack, double share) {
		List<Vitals> settled = this.samples.subList(Math.min(WARM_UP, this.samples.size()), this.samples.size());
		int third = settled.size() / 3;
		if (third == 0) {
			throw new IllegalStateException("Too few samples to tell: " + this.samples.size());
		}
		long before = median(settled.subList(0, third), value);
		long after = median(settled.subList(settled.size() - third, settled.size()), value);
		if (after > before * (1 + share) + slack) {
			grown.add(what + " grew from " + before + " to " + after);
		}
	}

	private static long median(List<Vitals> vitals, ToLongFunction<Vitals> value) {
		return vitals.stream().mapToLong(value).sorted().skip(vitals.size() / 2).findFirst().orElseThrow();
	}

	private String range(ToLongFunction<Vitals> value) {
		return this.samples.stream().mapToLong(value).min().orElse(0) + " to "
				+ this.samples.stream().mapToLong(value).max().orElse(0);
	}

}
