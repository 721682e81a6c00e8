package io.asynq.observation;

import java.util.Map;

import io.asynq.internal.observation.Metered;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.Propagator;
import io.micrometer.observation.transport.ReceiverContext;
import org.jspecify.annotations.Nullable;

/**
 * Maps for keys and meters would cost more than all else that is observed of a task.
 */
abstract class LeanReceiverContext extends ReceiverContext<Map<String, String>> implements Metered {

	private final ContextKeys low = new ContextKeys();

	private final ContextKeys high = new ContextKeys();

	private volatile @Nullable Object begun;

	protected LeanReceiverContext(Propagator.Getter<Map<String, String>> headers, Kind kind) {
		super(headers, kind);
	}

	@Override
	public final @Nullable Object begun() {
		return this.begun;
	}

	@Override
	public final void begun(Object meters) {
		this.begun = meters;
	}

	@Override
	public Observation.Context addLowCardinalityKeyValue(KeyValue key) {
		return addLowCardinalityKeyValues(KeyValues.of(key));
	}

	@Override
	public Observation.Context addLowCardinalityKeyValues(KeyValues keys) {
		this.low.add(keys);
		return this;
	}

	@Override
	public Observation.Context removeLowCardinalityKeyValue(String key) {
		this.low.remove(key);
		return this;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues() {
		return this.low.all();
	}

	@Override
	public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
		return this.low.get(key);
	}

	@Override
	public Observation.Context addHighCardinalityKeyValue(KeyValue key) {
		return addHighCardinalityKeyValues(KeyValues.of(key));
	}

	@Override
	public Observation.Context addHighCardinalityKeyValues(KeyValues keys) {
		this.high.add(keys);
		return this;
	}

	@Override
	public Observation.Context removeHighCardinalityKeyValue(String key) {
		this.high.remove(key);
		return this;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues() {
		return this.high.all();
	}

	@Override
	public @Nullable KeyValue getHighCardinalityKeyValue(String key) {
		return this.high.get(key);
	}

}
