package io.asynq.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A script call blocks Redis, so work is split into pieces that are small enough. */
public final class Batches {

	public static final int MAX_ITEMS = 256;

	public static final long MAX_BYTES = 4L * 1024 * 1024;

	private Batches() {
	}

	public static <T> List<List<T>> of(List<T> items, ToLongFunction<T> bytes) {
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

	/** An answer begins with the next cursor, "0" at the beginning and at the end. */
	public static void walk(Function<String, List<Object>> call, Consumer<List<Object>> slice) {
		walk("0", Integer.MAX_VALUE, call, slice);
	}

	public static String walk(String from, int calls, Function<String, List<Object>> call,
			Consumer<List<Object>> slice) {
		String cursor = from;
		int left = calls;
		do {
			List<Object> answer = call.apply(cursor);
			cursor = Text.of(answer.get(0));
			slice.accept(answer.subList(1, answer.size()));
			left--;
		}
		while (!cursor.equals("0") && left > 0);
		return cursor;
	}

}
