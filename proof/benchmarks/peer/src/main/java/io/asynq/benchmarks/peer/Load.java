package io.asynq.benchmarks.peer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Enqueues with the producer of a peer. */
record Load(Peer peer) {

	String enqueue(Settings settings) throws Exception {
		int threads = settings.number("threads", 1);
		int tasks = settings.number("tasks");
		int first = settings.number("first", 0);
		int batch = "batch".equals(settings.text("mode")) ? settings.number("batch", 64) : 0;
		try (Producer producer = this.peer.producer(settings)) {
			List<Callable<Void>> parts = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int from = (int) ((long) tasks * i / threads);
				int to = (int) ((long) tasks * (i + 1) / threads);
				parts.add(() -> enqueue(producer, first + from, first + to, batch));
			}
			return timed(threads, parts);
		}
	}

	String pace(Settings settings) throws Exception {
		int tasks = settings.number("tasks");
		int first = settings.number("first", 0);
		long gapNanos = settings.number("gap_micros") * 1000L;
		StringBuilder sent = new StringBuilder("sent=");
		try (Producer producer = this.peer.producer(settings)) {
			for (int i = 0; i < tasks; i++) {
				pause(gapNanos);
				Instant now = Instant.now();
				producer.one(Payload.of(first + i));
				sent.append((i > 0) ? "," : "")
					.append(first + i)
					.append(':')
					.append(now.getEpochSecond() * 1_000_000L + now.getNano() / 1000);
			}
		}
		return sent.toString();
	}

	private static Void enqueue(Producer producer, int from, int to, int batch) throws Exception {
		if (batch == 0) {
			for (int i = from; i < to; i++) {
				producer.one(Payload.of(i));
			}
			return null;
		}
		for (int i = from; i < to; i += batch) {
			List<String> payloads = new ArrayList<>(batch);
			for (int j = i; j < Math.min(i + batch, to); j++) {
				payloads.add(Payload.of(j));
			}
			producer.many(payloads);
		}
		return null;
	}

	private static String timed(int threads, List<Callable<Void>> parts) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			long cpu = ProcessMeter.cpuNanos();
			long start = System.nanoTime();
			for (Future<Void> part : executor.invokeAll(parts)) {
				part.get();
			}
			return "elapsed_ns=" + (System.nanoTime() - start) + " cpu_ns=" + (ProcessMeter.cpuNanos() - cpu);
		}
		finally {
			executor.shutdown();
		}
	}

	private static void pause(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
