package io.asynq.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * The first names, and {@code other} for the rest: names come from outside, and a flood
 * of them must make no flood of meters.
 */
final class CappedNames {

	static final String OTHER = "other";

	/** Longer ones have no series of queues either. */
	private static final int LONGEST = 1024;

	private static final Logger logger = OneLineLogger.of(CappedNames.class);

	private final String key;

	private final int limit;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private volatile boolean full;

	CappedNames(String key, int limit) {
		this.key = key;
		this.limit = limit;
	}

	String of(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		return (!this.full && name.length() <= LONGEST && add(name)) ? name : OTHER;
	}

	private synchronized boolean add(String name) {
		if (this.names.size() < this.limit) {
			this.names.add(name);
			return true;
		}
		if (!this.full) {
			this.full = true;
			logger.warn("Observations name {} values of '{}', further ones are '{}'. An ObservationConvention of your"
					+ " own can name them in another way", this.limit, this.key, OTHER);
		}
		return this.names.contains(name);
	}

}
