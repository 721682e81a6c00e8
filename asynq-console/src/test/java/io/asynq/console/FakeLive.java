package io.asynq.console;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import io.asynq.console.http.ConsoleEvents;
import io.asynq.console.http.ConsoleScreen;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Events that a test sends by hand, and a screen that tells which thread it is asked on.
 */
class FakeLive implements ConsoleEvents {

	private final Set<Consumer<Event>> subscribers = ConcurrentHashMap.newKeySet();

	final Semaphore ended = new Semaphore(0);

	@Override
	public Subscription subscribe(@Nullable String queue, Consumer<Event> subscriber) {
		this.subscribers.add(subscriber);
		subscriber.accept(new Event("overview", "", Map.of("queue", String.valueOf(queue))));
		return () -> {
			if (this.subscribers.remove(subscriber)) {
				this.ended.release();
			}
		};
	}

	void send(Event event) {
		this.subscribers.forEach((subscriber) -> subscriber.accept(event));
	}

	int subscriberCount() {
		return this.subscribers.size();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		@Primary
		FakeLive fakeLive() {
			return new FakeLive();
		}

		@Bean
		ConsoleScreen threadScreen() {
			return (routes) -> routes.get("test-thread", (call) -> Map.of("name", Thread.currentThread().getName()));
		}

	}

}
