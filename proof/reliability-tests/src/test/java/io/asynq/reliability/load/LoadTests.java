package io.asynq.reliability.load;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTests {

	@Test
	void isReproducibleBySeed() {
		assertThat(tasks(5)).isEqualTo(tasks(5)).isNotEqualTo(tasks(6));
	}

	@Test
	void hasAllKindsInAllQueuesUnderDistinctIds() {
		Load load = new Load(new Random(1), 50);
		List<PlannedTask> tasks = Stream.generate(load::next).limit(2000).toList();
		assertThat(tasks.stream().map(PlannedTask::kind).collect(Collectors.toSet()))
			.as("all but those that a fault asks for")
			.isEqualTo(EnumSet.complementOf(EnumSet.of(TaskKind.LIMITED)));
		assertThat(tasks.stream().map((task) -> task.key().queue()).collect(Collectors.toSet()))
			.isEqualTo(Set.of("critical", "default", "low"));
		assertThat(tasks.stream().map((task) -> task.key().id()).distinct()).hasSize(2000);
	}

	@Test
	void hasLongTasksOnlyOnRequest() {
		Load load = new Load(new Random(1), 0);
		assertThat(Stream.generate(load::next).limit(2000)).noneMatch((task) -> task.kind() == TaskKind.LONG);
	}

	@Test
	void namesMembersInHeadersAndGroupsAfterQueues() {
		Load load = new Load(new Random(1), 0);
		List<PlannedTask> grouped = Stream.generate(load::next)
			.limit(2000)
			.filter((task) -> task.kind().isGrouped())
			.toList();
		assertThat(grouped).hasSizeBetween(150, 250).allSatisfy((task) -> {
			assertThat(task.type()).isEqualTo(Member.TYPE);
			assertThat(task.options().headers()).containsEntry(Member.ID, task.key().id());
			assertThat(task.options().group()).startsWith(task.key().queue() + "-");
		});
		assertThat(grouped.stream().filter((task) -> task.options().uniqueTtl() != null).map(PlannedTask::payload))
			.hasSizeGreaterThan(20)
			.satisfies((payloads) -> assertThat(Set.copyOf(payloads)).hasSizeLessThan(payloads.size()));
	}

	private static List<String> tasks(long seed) {
		Load load = new Load(new Random(seed), 10);
		return Stream.generate(load::next)
			.limit(500)
			.map((task) -> task.key() + " " + task.kind() + " " + task.payload() + " " + task.options())
			.toList();
	}

}
