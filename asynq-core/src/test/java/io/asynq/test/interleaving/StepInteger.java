package io.asynq.test.interleaving;

import java.util.function.IntUnaryOperator;

/**
 * Stands for a {@link java.util.concurrent.atomic.AtomicInteger}.
 */
public final class StepInteger {

	private int value;

	public StepInteger() {
		this(0);
	}

	public StepInteger(int value) {
		this.value = value;
	}

	public int get() {
		Interleaving.step();
		return this.value;
	}

	public int incrementAndGet() {
		Interleaving.step();
		return ++this.value;
	}

	public int decrementAndGet() {
		Interleaving.step();
		return --this.value;
	}

	public int getAndUpdate(IntUnaryOperator update) {
		Interleaving.step();
		int before = this.value;
		this.value = update.applyAsInt(before);
		return before;
	}

}
