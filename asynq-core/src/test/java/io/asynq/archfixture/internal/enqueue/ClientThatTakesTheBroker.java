package io.asynq.archfixture.internal.enqueue;

import java.util.function.Supplier;

import io.asynq.internal.broker.RedisBroker;

/**
 * Breaks the rule that only assembly takes the broker.
 */
public class ClientThatTakesTheBroker {

	private final Supplier<RedisBroker> broker;

	ClientThatTakesTheBroker(Supplier<RedisBroker> broker) {
		this.broker = broker;
	}

	/**
	 * Breaks no rule.
	 */
	static ClientThatTakesTheBroker create(RedisBroker broker) {
		return new ClientThatTakesTheBroker(() -> broker);
	}

	Object used() {
		return this.broker.get();
	}

}
