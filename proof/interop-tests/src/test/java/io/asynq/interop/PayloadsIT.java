package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.interop.peer.GoPayloads;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.TaskView;
import io.asynq.payload.AsynqJsonMapper;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Records of Java and structs of Go are each other's payloads.
 */
@InteropTest
class PayloadsIT {

	private static final Order FULL = new Order("o-1", 9_007_199_254_740_993L, true, 2.5, "grün ☕",
			OffsetDateTime.parse("2026-01-02T03:04:05.000006+02:00"), Duration.ofSeconds(90), new byte[] { 0, -1, 62 },
			Map.of("b", "2", "a", "1"), List.of(new Line("book", 2), new Line("pen", 1)), null);

	@Test
	void structOfGoIsReadAsRecord(Peers peers) {
		assertThat(read(peers, peers.go().payloads().enqueue("full"), Order.class)).usingRecursiveComparison()
			.isEqualTo(FULL);
	}

	@Test
	void whatGoLeavesOutIsZeroOrNull(Peers peers) {
		TaskView task = peers.go().payloads().enqueue("zero");
		assertThat(task.payload()).doesNotContain("cents", "express", "weight", "note", "quantity");
		OffsetDateTime never = OffsetDateTime.parse("0001-01-01T00:00:00Z");
		Order parent = new Order("o-1", 0, false, 0, null, never, Duration.ZERO, null, null, null, null);
		assertThat(read(peers, task, Order.class)).isEqualTo(new Order("o-2", 0, false, 0, null, never, Duration.ZERO,
				null, null, List.of(new Line("book", 0)), parent));
	}

	@Test
	void recordIsReadAsStructOfGo(Peers peers) {
		GoPayloads go = peers.go().payloads();
		JsonNode expected = go.read("order", "default", go.enqueue("full").id());
		assertThat(go.read("order", "default", enqueue(peers, FULL).id())).isEqualTo(expected);
	}

	@Test
	void nullIsZeroInGo(Peers peers) {
		Order empty = new Order("o-3", 0, false, 0, null, null, null, null, null, null, null);
		JsonNode read = peers.go().payloads().read("order", "default", enqueue(peers, empty).id());
		assertThat(read.path("id").asString()).isEqualTo("o-3");
		assertThat(read.path("placed").asString()).isEqualTo("0001-01-01T00:00:00Z");
		assertThat(read.path("patience").asLong()).isZero();
	}

	@Test
	void equalFieldsInTheSameOrderAreTheSameBytes(Peers peers) {
		TaskView go = peers.go().payloads().enqueue("full", Duration.ofMinutes(1));
		assertThat(new String(converter().toBytes(FULL), StandardCharsets.ISO_8859_1)).isEqualTo(go.payload());
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> enqueue(peers, FULL, TaskOptions.of((options) -> options.unique(Duration.ofMinutes(1)))));
	}

	@Test
	void equalValuesThatGoWritesWithOtherBytesHaveLocksOfTheirOwn(Peers peers) {
		GoPayloads go = peers.go().payloads();
		TaskView theirs = go.enqueue("escaped", Duration.ofMinutes(1));
		OffsetDateTime never = OffsetDateTime.parse("0001-01-01T00:00:00Z");
		TaskInfo ours = enqueue(peers,
				new Order("o-4", 0, false, 2, "<a> & b", never, Duration.ZERO, null, null, null, null),
				TaskOptions.of((options) -> options.unique(Duration.ofMinutes(1))));
		assertThat(theirs.payload()).contains("\"weight\":2,", "\\u003ca\\u003e \\u0026 b").doesNotContain("cents");
		assertThat(ours.payload()).asString().contains("\"weight\":2.0,", "<a> & b", "\"cents\":0");
		assertThat(go.read("order", "default", ours.id())).isEqualTo(go.read("order", "default", theirs.id()));
	}

	@Test
	void capitalisedNamesAreReadIfAskedAndGoReadsOurs(Peers peers) {
		GoPayloads go = peers.go().payloads();
		TaskView task = go.enqueue("untagged");
		assertThat(task.payload()).isEqualTo("{\"UserID\":7,\"Pause\":90000000000}");
		assertThat(read(peers, task, Untagged.class)).isEqualTo(new Untagged(7, Duration.ofSeconds(90)));
		TaskInfo ours = enqueue(peers, new Untagged(7, Duration.ofSeconds(90)));
		assertThat(ours.payload()).asString().isEqualTo("{\"userId\":7,\"pause\":90000000000}");
		assertThat(go.read("untagged", "default", ours.id()).toString()).isEqualTo(task.payload());
	}

	@Test
	void instantIsTimeOfGo(Peers peers) {
		TaskView task = peers.go().payloads().enqueue("full");
		assertThat(read(peers, task, Placed.class).placed()).isEqualTo(Instant.parse("2026-01-02T01:04:05.000006Z"));
	}

	private static <T> T read(Peers peers, TaskView task, Class<T> type) {
		byte[] payload = peers.java().inspector().taskInfo(task.queue(), task.id()).payload();
		return type.cast(converter().fromBytes(payload, type));
	}

	private static TaskInfo enqueue(Peers peers, Object payload) {
		return enqueue(peers, payload, TaskOptions.none());
	}

	private static TaskInfo enqueue(Peers peers, Object payload, TaskOptions options) {
		return peers.java().client().enqueue(Task.of("order", converter().toBytes(payload)), options);
	}

	/** As asynq.json.durations=nanoseconds and asynq.json.case-insensitive-names. */
	private static PayloadConverter converter() {
		JsonMapper.Builder builder = AsynqJsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES);
		AsynqJsonMapper.durationsAsNanoseconds(builder);
		return new DefaultPayloadConverter(builder.build());
	}

	record Order(String id, long cents, boolean express, double weight, @Nullable String note,
			@Nullable OffsetDateTime placed, @Nullable Duration patience, byte @Nullable [] photo,
			@Nullable Map<String, String> labels, @Nullable List<Line> lines, @Nullable Order parent) {
	}

	record Line(String item, int quantity) {
	}

	record Placed(Instant placed) {
	}

	record Untagged(int userId, Duration pause) {
	}

}
