package io.asynq.console.http;

import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

final class EventFlux {

	private final EventStream stream;

	private final FluxSink<String> sink;

	private final AtomicInteger calls = new AtomicInteger();

	private EventFlux(EventStream stream, FluxSink<String> sink) {
		this.stream = stream;
		this.sink = sink;
	}

	static Flux<String> of(EventStream stream) {
		return Flux.create((sink) -> {
			EventFlux events = new EventFlux(stream, sink);
			sink.onDispose(stream::close);
			sink.onRequest((wanted) -> events.wake());
			stream.start(events::wake);
		});
	}

	private void wake() {
		if (this.calls.getAndIncrement() != 0) {
			return;
		}
		int seen;
		do {
			seen = this.calls.get();
			pass();
		}
		while (this.calls.addAndGet(-seen) != 0);
	}

	private void pass() {
		while (this.sink.requestedFromDownstream() > 0) {
			String text = this.stream.poll();
			if (text == null) {
				break;
			}
			this.sink.next(text);
		}
		if (this.stream.isOver()) {
			this.sink.complete();
		}
	}

}
