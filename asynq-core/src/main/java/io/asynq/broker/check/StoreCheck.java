package io.asynq.broker.check;

/**
 * Checks whether the store keeps what is entrusted to it. Changes nothing. Safe for
 * concurrent use.
 */
public interface StoreCheck {

	/**
	 * Checks everything that the store allows to ask.
	 * @return what was found
	 * @throws io.asynq.BrokerException if the store cannot be reached or refuses
	 * everything, so that nothing could be checked
	 */
	StoreReport check();

}
