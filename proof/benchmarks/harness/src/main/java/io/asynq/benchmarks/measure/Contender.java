package io.asynq.benchmarks.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.benchmarks.process.PeerProcess;

/** A peer with settings. */
record Contender(String label, PeerProcess peer, Map<String, String> settings, boolean speaksAsynq) {

	Contender withQueues(int queues) {
		Map<String, String> more = new HashMap<>(this.settings);
		more.put("queues",
				IntStream.range(0, queues).mapToObj((i) -> Backlog.QUEUE + i).collect(Collectors.joining(",")));
		return new Contender(this.label + ", " + queues + " queues", this.peer, more, this.speaksAsynq);
	}

	boolean isJvm() {
		return !"go".equals(this.peer.name());
	}

	Map<String, Object> with(Map<String, ?> more) {
		Map<String, Object> all = new HashMap<>(more);
		all.putAll(this.settings);
		return all;
	}

	static Contender ours(Bench bench) {
		return ours(bench, "asynq-jvm", Map.of());
	}

	static Contender oursTuned(Bench bench) {
		return ours(bench, "asynq-jvm, pool of 16", Map.of("variant", "tuned"));
	}

	static Contender oursUnobserved(Bench bench) {
		return ours(bench, "asynq-jvm, without observations", Map.of("variant", "unobserved"));
	}

	static Contender oursOverLettuce(Bench bench) {
		return ours(bench, "asynq-jvm, Lettuce", Map.of("driver", "lettuce"));
	}

	static Contender oursApart(Bench bench) {
		return ours(bench, "asynq-jvm, calls not shared", Map.of("variant", "apart"));
	}

	static Contender oursNotAhead(Bench bench) {
		return ours(bench, "asynq-jvm, not ahead", Map.of("variant", "not-ahead"));
	}

	private static Contender ours(Bench bench, String label, Map<String, String> settings) {
		return new Contender(label, bench.peers().asynq(0), settings, true);
	}

	static Contender earlier(Bench bench) {
		return new Contender("asynq-jvm, earlier", bench.peers().earlier(), Map.of(), true);
	}

	static Contender oursVirtual(Bench bench) {
		return new Contender("asynq-jvm, newer JDK, virtual threads", bench.peers().asynqOnNewerJava(),
				Map.of("threads", "virtual"), true);
	}

	static Contender go(Bench bench) {
		return new Contender("Go asynq", bench.peers().go(), Map.of(), true);
	}

	static Contender goTuned(Bench bench) {
		return new Contender("Go asynq, tuned", bench.peers().go(), Map.of("variant", "tuned"), true);
	}

	static Contender ceiling(Bench bench) {
		return new Contender("Jedis loop, 64 per script", bench.peers().ceiling(), Map.of(), true);
	}

	static Contender rival(Bench bench, String name, boolean tuned) {
		return new Contender(name + (tuned ? ", tuned" : ""), bench.peers().rival(name),
				tuned ? Map.of("variant", "tuned") : Map.of(), false);
	}

}
