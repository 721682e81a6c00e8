package io.asynq.internal.redis;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.fleet.StateCodec;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.QueueWeights;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Golden vectors of the protocol, created by another implementation.
 */
class TaskMessageCodecTests {

	private static final String UUID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

	private static final String PLAIN = "0a0a656d61696c3a73656e64120e7b22757365725f6964223a34327d1a2436626137623831302d"
			+ "396461642d313164312d383062342d303063303466643433306338220764656661756c74281940880e";

	private static final String FAILED = "0a0a656d61696c3a73656e64120e7b22757365725f6964223a34327d1a243662613762383130"
			+ "2d396461642d313164312d383062342d303063303466643433306338220764656661756c74281930013a04626f6f6d40880e58"
			+ "80e2cfaa06";

	private static final String FULL = "0a067265706f7274120200011a08637573746f6d2d3122036c6f77403c4880b1ef8607523a6173"
			+ "796e713a7b6c6f777d3a756e697175653a7265706f72743a343431303737636339653537353534646434373662646662386238"
			+ "623831303260901c68e4e2cfaa06720267317a0c0a0574726163651203616263";

	private static final String SERVER = "0a026831107b1a2436626137623831302d396461642d313164312d383062342d303063303466"
			+ "643433306338200a2a0b0a0764656661756c7410013a0661637469766542080880e2cfaa061005";

	private static final String WORKER = "0a026831107b1a2436626137623831302d396461642d313164312d383062342d303063303466"
			+ "6434333063382208637573746f6d2d312a067265706f7274320200013a036c6f7742060880e2cfaa064a0608bce2cfaa06";

	@Test
	void newTask() throws Exception {
		TaskMessage message = mail().build();
		assertThat(hex(TaskMessageCodec.encode(message))).isEqualTo(PLAIN);
		TaskMessage decoded = TaskMessageCodec.decode(bytes(PLAIN));
		assertThat(decoded).usingRecursiveComparison().isEqualTo(message);
	}

	@Test
	void taskThatFailedOnce() throws Exception {
		TaskMessage message = mail().retried(1).errorMessage("boom").lastFailedAtSeconds(1_700_000_000).build();
		assertThat(hex(TaskMessageCodec.encode(message))).isEqualTo(FAILED);
		assertThat(TaskMessageCodec.decode(bytes(FAILED))).usingRecursiveComparison().isEqualTo(message);
	}

	@Test
	void taskWithAllFields() throws Exception {
		TaskMessage message = TaskMessage.builder("report", "custom-1", "low")
			.payload(new byte[] { 0, 1 })
			.timeoutSeconds(60)
			.deadlineSeconds(1_893_456_000)
			.uniqueKey("asynq:{low}:unique:report:441077cc9e57554dd476bdfb8b8b8102")
			.group("g1")
			.retentionSeconds(3600)
			.completedAtSeconds(1_700_000_100)
			.headers(Map.of("trace", "abc"))
			.build();
		assertThat(hex(TaskMessageCodec.encode(message))).isEqualTo(FULL);
		assertThat(TaskMessageCodec.decode(bytes(FULL))).usingRecursiveComparison().isEqualTo(message);
	}

	@Test
	void missingAndEmptyPayloadAreEncodedAlike() throws Exception {
		byte[] none = TaskMessageCodec.encode(mail().payload(null).build());
		byte[] empty = TaskMessageCodec.encode(mail().payload(new byte[0]).build());
		assertThat(none).isEqualTo(empty);
		assertThat(TaskMessageCodec.decode(empty).payload()).isNull();
	}

	@Test
	void server() {
		ServerSnapshot server = new ServerSnapshot(new ServerIdentity("h1", 123, UUID), 10,
				new QueueWeights(Map.of("default", 1), false), "active", Instant.ofEpochSecond(1_700_000_000, 5),
				List.of(), Map.of());
		assertThat(hex(StateCodec.encode(server))).isEqualTo(SERVER);
	}

	@Test
	void worker() {
		TaskMessage message = TaskMessage.builder("report", "custom-1", "low").payload(new byte[] { 0, 1 }).build();
		WorkerSnapshot worker = new WorkerSnapshot(message, Instant.ofEpochSecond(1_700_000_000),
				Instant.ofEpochSecond(1_700_000_060));
		assertThat(hex(StateCodec.encode(new ServerIdentity("h1", 123, UUID), worker))).isEqualTo(WORKER);
	}

	@Test
	void unpairedSurrogatesAreReplacedAndPairsKept() {
		assertThat(TaskMessageCodec.wellFormed("a\uD83Db\uDE00c\uD83D\uDE00")).isEqualTo("a\uFFFDb\uFFFDc\uD83D\uDE00");
		assertThat(TaskMessageCodec.wellFormed("plain")).isEqualTo("plain");
	}

	@Test
	void lockNameConsistsOfTypeAndPayloadDigest() {
		Keys keys = Keys.of("low");
		assertThat(keys.unique("report", "{\"user_id\":42}".getBytes()))
			.isEqualTo("asynq:{low}:unique:report:1181f89307fa271072c095747d5813cc");
		assertThat(keys.unique("report", null)).isEqualTo("asynq:{low}:unique:report:");
		assertThat(keys.unique("report", new byte[0]))
			.isEqualTo("asynq:{low}:unique:report:d41d8cd98f00b204e9800998ecf8427e");
	}

	private static TaskMessage.Builder mail() {
		return TaskMessage.builder("email:send", UUID, "default")
			.payload("{\"user_id\":42}".getBytes())
			.maxRetry(25)
			.timeoutSeconds(1800);
	}

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

}
