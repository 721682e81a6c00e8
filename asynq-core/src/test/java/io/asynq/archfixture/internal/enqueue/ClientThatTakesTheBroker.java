package io.asynq.archfixture.internal.enqueue;

import java.util.function.Supplier;

import io.asynq.internal.broker.Broker;

/**
 * Breaks the rule that only assembly takes the broker.
 */
public class ClientThatTakesTheBroker {

	private final Supplier<Broker> broker;

	ClientThatTakesTheBroker(Supplier<Broker> broker) {
		this.broker = broker;
	}

	/**
	 * Breaks no rule.
	 */
	static ClientThatTakesTheBroker create(Broker broker) {
		return new ClientThatTakesTheBroker(() -> broker);
	}

	Object used() {
		return this.broker.get();
	}

}
