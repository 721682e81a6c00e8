package io.asynq.internal.check;

public interface StoreCheck {

	/** Throws only if the store refuses everything. */
	StoreReport check();

}
