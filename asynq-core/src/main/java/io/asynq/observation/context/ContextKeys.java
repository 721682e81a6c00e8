package io.asynq.observation.context;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a context with one cardinality, as conventions give them. Safe for
 * concurrent use.
 */
final class ContextKeys {

	private volatile KeyValues all = KeyValues.empty();

	KeyValues all() {
		return this.all;
	}

	@Nullable KeyValue get(String key) {
		for (KeyValue one : this.all) {
			if (one.getKey().equals(key)) {
				return one;
			}
		}
		return null;
	}

	/**
	 * Adds keys, in place of those with the same names.
	 */
	synchronized void add(KeyValues more) {
		if (more != this.all) {
			this.all = this.all.and(more);
		}
	}

	synchronized void remove(String key) {
		this.all = KeyValues.of(this.all.stream().filter((one) -> !one.getKey().equals(key)).toList());
	}

}
