package io.asynq.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

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

	/** Later keys replace those with the same names. */
	synchronized void add(KeyValues more) {
		if (more != this.all) {
			this.all = this.all.and(more);
		}
	}

	synchronized void remove(String key) {
		this.all = KeyValues.of(this.all.stream().filter((one) -> !one.getKey().equals(key)).toList());
	}

}
