package io.asynq.sample;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.stereotype.Component;

/**
 * Remembers orders as long as the application runs; a real service has a database.
 */
@Component
class OrderStore {

	private final Map<String, Order> orders = new ConcurrentHashMap<>();

	private final AtomicLong lastNumber = new AtomicLong();

	long nextNumber() {
		return this.lastNumber.incrementAndGet();
	}

	void add(Order order) {
		this.orders.put(order.id(), order);
	}

	Optional<Order> find(String id) {
		return Optional.ofNullable(this.orders.get(id));
	}

	int size() {
		return this.orders.size();
	}

}
