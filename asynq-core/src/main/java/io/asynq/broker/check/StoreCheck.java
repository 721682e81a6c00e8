package io.asynq.broker.check;

public interface StoreCheck {

	/** Throws only if the store refuses everything. */
	StoreReport check();

}
