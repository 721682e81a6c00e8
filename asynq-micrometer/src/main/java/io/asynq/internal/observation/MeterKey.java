package io.asynq.internal.observation;

import java.util.Iterator;
import java.util.Objects;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Compares texts only, because keys of an application's convention need not compare.
 */
final class MeterKey {

	private final String name;

	private final KeyValues tags;

	/** {@code null} while what is observed goes on. */
	private final @Nullable String error;

	private final int hash;

	private MeterKey(String name, KeyValues tags, @Nullable String error) {
		this.name = name;
		this.tags = tags;
		this.error = error;
		int hash = name.hashCode();
		for (KeyValue tag : tags) {
			hash = 31 * (31 * hash + tag.getKey().hashCode()) + tag.getValue().hashCode();
		}
		this.hash = (error != null) ? 31 * hash + error.hashCode() : hash;
	}

	static MeterKey ofRunning(Observation.Context context) {
		return new MeterKey(context.getName(), context.getLowCardinalityKeyValues(), null);
	}

	static MeterKey ofEnded(Observation.Context context) {
		Throwable error = context.getError();
		return new MeterKey(context.getName(), context.getLowCardinalityKeyValues(),
				(error != null) ? error.getClass().getSimpleName() : KeyValue.NONE_VALUE);
	}

	String name() {
		return this.name;
	}

	Tags tags() {
		Tags tags = Tags.empty();
		for (KeyValue tag : this.tags) {
			tags = tags.and(tag.getKey(), tag.getValue());
		}
		return (this.error != null) ? tags.and("error", this.error) : tags;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof MeterKey key && key.hash == this.hash && key.name.equals(this.name)
				&& Objects.equals(key.error, this.error) && (key.tags == this.tags || sameTexts(key.tags));
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

	private boolean sameTexts(KeyValues others) {
		Iterator<KeyValue> other = others.iterator();
		for (KeyValue tag : this.tags) {
			if (!other.hasNext() || !same(tag, other.next())) {
				return false;
			}
		}
		return !other.hasNext();
	}

	private static boolean same(KeyValue one, KeyValue other) {
		return one.getKey().equals(other.getKey()) && one.getValue().equals(other.getValue());
	}

}
