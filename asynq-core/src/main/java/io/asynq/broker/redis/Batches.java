package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Cuts work into pieces that one script call can bear: it blocks Redis while it runs.
 */
final class Batches {

	static final int MAX_ITEMS = 256;

	static final long MAX_BYTES = 4L * 1024 * 1024;

	private Batches() {
	}

	/**
	 * Cuts a list.
	 * @param <T> the items' type
	 * @param items the items
	 * @param bytes about how many bytes an item has
	 * @return consecutive pieces, none empty
	 */
	static <T> List<List<T>> of(List<T> items, ToLongFunction<T> bytes) {
		List<List<T>> batches = new ArrayList<>();
		int from = 0;
		long sum = 0;
		for (int i = 0; i < items.size(); i++) {
			long size = bytes.applyAsLong(items.get(i));
			if (i > from && (i - from >= MAX_ITEMS || sum + size > MAX_BYTES)) {
				batches.add(items.subList(from, i));
				from = i;
				sum = 0;
			}
			sum += size;
		}
		if (from < items.size()) {
			batches.add(items.subList(from, items.size()));
		}
		return batches;
	}

}
