package io.asynq.internal.redis;

import java.io.IOException;

import io.asynq.benchmarks.micro.MicroBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Encodes and decodes messages. A message of 150 bytes has a payload of about 90. */
public class CodecBenchmark extends MicroBenchmark {

	/** The size of the stored message. */
	@Param({ "150", "4096" })
	public int bytes;

	private TaskMessage message = message(0);

	private byte[] stored = {};

	@Setup
	public void build() {
		int payload = this.bytes;
		do {
			this.message = message(payload--);
			this.stored = TaskMessageCodec.encode(this.message);
		}
		while (this.stored.length > this.bytes);
		if (this.stored.length != this.bytes) {
			throw new IllegalStateException("No message has " + this.bytes + " bytes");
		}
	}

	@Benchmark
	public byte[] encode() {
		return TaskMessageCodec.encode(this.message);
	}

	@Benchmark
	public TaskMessage decode() throws IOException {
		return TaskMessageCodec.decode(this.stored);
	}

	private static TaskMessage message(int payload) {
		return TaskMessage.builder("bench", "00000000-0000-4000-8000-000000000000", "bench")
			.payload(new byte[payload])
			.maxRetry(25)
			.timeoutSeconds(1800)
			.build();
	}

}
