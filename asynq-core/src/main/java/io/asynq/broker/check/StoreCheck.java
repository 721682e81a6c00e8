package io.asynq.broker.check;

public interface StoreCheck {

	/**
	 * Throws only if the store refuses everything; what else could not be asked is in the
	 * report.
	 */
	StoreReport check();

}
