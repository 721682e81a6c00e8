package io.asynq.cli.dash;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.GroupInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.UnexpectedCountException;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the view reads and does, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
class DeskIT {

	private static final Place PENDING = Place.queue("default", TaskState.PENDING);

	private AsynqClient client;

	private AsynqInspector inspector;

	private Desk desk;

	@BeforeEach
	void connect(RedisConnectionFactory factory) {
		RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		this.client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
		this.inspector = AsynqInspector.create(broker, Clock.systemUTC());
		this.desk = new Desk(this.inspector, new QueueOperations(this.inspector),
				new TaskOperations(this.inspector, this.client, Clock.systemUTC()));
	}

	@Test
	void memoryThatRedisDoesNotTellHidesNothingElse(RedisConnectionFactory factory) {
		this.client.enqueue("mail");
		AclRule.grant(factory, List.of("~*", "&*", "+@all", "-memory"));
		RedisStandaloneConfiguration user = new RedisStandaloneConfiguration(TestRedis.shared().host(),
				TestRedis.shared().port());
		user.setUsername(AclRule.USER);
		user.setPassword(AclRule.PASSWORD);
		JedisConnectionFactory restricted = new JedisConnectionFactory(user);
		restricted.afterPropertiesSet();
		restricted.start();
		connect(restricted);
		Reading.Queues queues = (Reading.Queues) this.desk.read(Place.queues(), new Part(1, 9, null));
		assertThat(queues.lines()).singleElement().satisfies((line) -> {
			assertThat(line.info().size()).isOne();
			assertThat(Figures.bytes(line.memory())).isEqualTo("-");
		});
		restricted.destroy();
	}

	@Test
	void readsQueuesByPagesAndNames() {
		for (String queue : List.of("a1", "b", "a2", "a3")) {
			this.client.enqueue(Task.of("type", "x"), TaskOptions.of((options) -> options.queue(queue)));
		}
		Reading.Queues first = (Reading.Queues) this.desk.read(Place.queues().filtered("A"), Part.first(2));
		assertThat(first.lines()).extracting((line) -> line.info().queue()).containsExactly("a1", "a2");
		assertThat(first.lines()).allMatch((line) -> line.memory() > 0 && line.info().size() == 1);
		assertThat(first.count()).isEqualTo(3);
		assertThat(first.more()).isTrue();
		Reading.Queues second = (Reading.Queues) this.desk.read(Place.queues().filtered("A"), new Part(2, 2, null));
		assertThat(second.lines()).extracting((line) -> line.info().queue()).containsExactly("a3");
		assertThat(second.more()).isFalse();
	}

	@Test
	void readsTasksByPages() {
		enqueue(25, TaskOptions.none());
		Reading.Tasks second = (Reading.Tasks) this.desk.read(PENDING, new Part(2, 10, null));
		assertThat(second.tasks()).hasSize(10);
		assertThat(second.count()).isEqualTo(25);
		assertThat(second.more()).isTrue();
		Reading.Tasks third = (Reading.Tasks) this.desk.read(PENDING, new Part(3, 10, null));
		assertThat(third.tasks()).hasSize(5);
		assertThat(third.more()).isFalse();
	}

	@Test
	void findsTasksByTypeIdAndPayload() {
		enqueue(300, TaskOptions.none());
		this.client.enqueue(Task.of("mail:send", "{\"to\":\"Ada\"}"),
				TaskOptions.of((options) -> options.taskId("special-1")));
		for (String filter : List.of("mail:", "SPECIAL", "\"to\":\"ada")) {
			Reading.Tasks found = (Reading.Tasks) this.desk.read(PENDING.filtered(filter), Part.first(10));
			assertThat(found.tasks()).extracting(TaskInfo::id).containsExactly("special-1");
			assertThat(found.count()).isEqualTo(301);
			assertThat(found.lookedAt()).isEqualTo(301);
		}
		Reading.Tasks many = (Reading.Tasks) this.desk.read(PENDING.filtered("type"), new Part(2, 10, null));
		assertThat(many.tasks()).hasSize(10);
		assertThat(many.more()).isTrue();
	}

	@Test
	void readsGroupsTheirTasksAndOneOfThem() {
		enqueue(3, TaskOptions.of((options) -> options.group("sales")));
		Place place = Place.queue("default", TaskState.AGGREGATING);
		Reading.Groups groups = (Reading.Groups) this.desk.read(place, Part.first(10));
		assertThat(groups.groups()).containsExactly(new GroupInfo("sales", 3));
		assertThat(groups.next()).isNull();
		Reading.Tasks tasks = (Reading.Tasks) this.desk.read(place.group("sales"), Part.first(2));
		assertThat(tasks.tasks()).hasSize(2);
		assertThat(tasks.count()).isEqualTo(3);
		String id = tasks.tasks().get(0).id();
		Reading.One one = (Reading.One) this.desk.read(place.group("sales").task(id), Part.first(10));
		assertThat(one.task().group()).isEqualTo("sales");
		act(new Act.ToAll(TaskAction.DELETE, "default", TaskState.AGGREGATING, "sales", 3));
		assertThat(this.inspector.queueInfo("default").size()).isZero();
	}

	@Test
	void doesWhatWasConfirmedAndNoMore() {
		enqueue(1200, TaskOptions.none());
		Act few = new Act.ToAll(TaskAction.ARCHIVE, "default", TaskState.PENDING, null, 1000);
		assertThatExceptionOfType(UnexpectedCountException.class).isThrownBy(() -> act(few));
		assertThat(this.inspector.queueInfo("default").size(TaskState.PENDING)).isEqualTo(1200);
		List<Long> progress = new ArrayList<>();
		Act all = new Act.ToAll(TaskAction.ARCHIVE, "default", TaskState.PENDING, null, 1200);
		assertThat(this.desk.act(all, progress::add, () -> false)).isEqualTo("1,200 of 1,200 done");
		assertThat(progress).containsExactly(500L, 1000L, 1200L);
		Act delete = new Act.ToAll(TaskAction.DELETE, "default", TaskState.ARCHIVED, null, 1200);
		boolean[] stop = new boolean[1];
		String stopped = this.desk.act(delete, (done) -> stop[0] = true, () -> stop[0]);
		assertThat(stopped).isEqualTo("500 of 1,200 done");
	}

	@Test
	void actsOnOneTaskAndOnTheQueue() {
		TaskInfo task = this.client.enqueue(Task.of("type", "x"),
				TaskOptions.of((options) -> options.processIn(Duration.ofHours(1))));
		act(new Act.ToTask(TaskAction.RUN, "default", task.id()));
		assertThat(this.inspector.taskInfo("default", task.id()).state()).isEqualTo(TaskState.PENDING);
		assertThat(act(new Act.Pause("default", true))).isEqualTo("Queue default is paused");
		assertThat(act(new Act.Pause("default", true))).isEqualTo("Queue default was already paused");
		assertThat(this.inspector.queueInfo("default").paused()).isTrue();
		act(new Act.Pause("default", false));
		assertThat(this.inspector.queueInfo("default").paused()).isFalse();
	}

	private String act(Act act) {
		return this.desk.act(act, (done) -> {
		}, () -> false);
	}

	private void enqueue(int count, TaskOptions options) {
		for (int number = 0; number < count; number++) {
			this.client.enqueue(Task.of("type", "x"), options);
		}
	}

}
