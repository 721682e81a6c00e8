package io.asynq.architecture;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.lane.LaneCall;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.schedule.SchedulerStore;
import io.asynq.internal.worker.TaskCompleter;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

/**
 * Conditions that the rules put on classes and members.
 */
final class Conditions {

	private static final Set<Class<?>> LANES = Set.of(Lanes.class, LaneThreads.class, LaneCall.class, QueueRound.class);

	private static final Set<Class<?>> QUEUE_ROLES = Set.of(TaskDequeuer.class, TaskCompleter.class, TaskUpkeep.class,
			UnhandledStore.class, GroupStore.class, SchedulerStore.class);

	/**
	 * Subscriptions, tracked keys, lines of callers, protobuf of servers, and assembly.
	 */
	private static final Set<String> OTHER_STORES = Set.of("Broker", "ChannelSubscription", "Lines", "PushedArrivals",
			"RedisBroker", "ServedSlots", "StateCodec", "StateDecoder", "WatchedKeys");

	private Conditions() {
	}

	/**
	 * Examines the packages directly below a parent.
	 */
	static ArchCondition<JavaClass> notDependOnSiblings(String parent, Set<String> siblings) {
		Function<JavaClass, String> below = (type) -> {
			String name = type.getPackageName();
			return name.startsWith(parent + ".") ? name.substring(parent.length() + 1).split("\\.")[0] : "";
		};
		return new ArchCondition<>("not depend on their siblings") {
			@Override
			public void check(JavaClass type, ConditionEvents events) {
				for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
					String other = below.apply(dependency.getTargetClass());
					if (siblings.contains(other) && !other.equals(below.apply(type))) {
						events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
					}
				}
			}
		};
	}

	static ArchCondition<JavaMember> notTakeTheBroker() {
		return new ArchCondition<>("not take the broker") {
			@Override
			public void check(JavaMember member, ConditionEvents events) {
				if (types(member).anyMatch(Conditions::isBroker)) {
					events.add(SimpleConditionEvent.violated(member, member.getFullName() + " takes the broker"));
				}
			}
		};
	}

	/**
	 * Finds setters for callbacks: methods that take one functional argument and store
	 * it.
	 */
	static ArchCondition<JavaMethod> notKeepACallback() {
		return new ArchCondition<>("not keep a callback") {
			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				List<JavaClass> parameters = method.getRawParameterTypes();
				if (parameters.size() == 1 && isCallback(parameters.get(0)) && keeps(method, parameters.get(0))) {
					events.add(SimpleConditionEvent.violated(method, method.getFullName() + " keeps a callback"));
				}
			}
		};
	}

	static ArchCondition<JavaMember> showNoTechnology() {
		return new ArchCondition<>("show no Redis or protobuf type") {
			@Override
			public void check(JavaMember member, ConditionEvents events) {
				types(member).filter(Conditions::isTechnology)
					.filter((type) -> !isWayIn(member, type))
					.forEach((type) -> events
						.add(SimpleConditionEvent.violated(member, member.getFullName() + " shows " + type.getName())));
			}
		};
	}

	/**
	 * Looks at the members that users see; constructors that only the library calls are
	 * not public.
	 */
	static ArchCondition<JavaMember> nameNoTypeOf(String prefix) {
		return new ArchCondition<>("name no type of " + prefix) {
			@Override
			public void check(JavaMember member, ConditionEvents events) {
				types(member).filter((type) -> type.getPackageName().startsWith(prefix + "."))
					.forEach((type) -> events
						.add(SimpleConditionEvent.violated(member, member.getFullName() + " names " + type.getName())));
			}
		};
	}

	/** A store calls scripts; those by name read and write what no script can. */
	static boolean isNoStore(JavaClass type) {
		JavaClass outer = ArchitectureRules.outermost(type);
		return !OTHER_STORES.contains(outer.getSimpleName()) && outer.getFields()
			.stream()
			.noneMatch((field) -> field.getRawType().isEquivalentTo(ScriptRunner.class));
	}

	static boolean readsTime(JavaAccess<?> access) {
		JavaClass owner = access.getTargetOwner();
		String name = access.getName();
		if (owner.isEquivalentTo(System.class)) {
			return name.equals("currentTimeMillis");
		}
		if (owner.isEquivalentTo(Clock.class)) {
			return name.startsWith("system") || name.startsWith("tick");
		}
		if (owner.isEquivalentTo(Date.class)) {
			return access.getTarget().getFullName().equals("java.util.Date.<init>()");
		}
		return owner.getPackageName().equals("java.time") && name.equals("now")
				&& !access.getTarget().getFullName().contains(Clock.class.getName());
	}

	static boolean sleeps(JavaAccess<?> access) {
		JavaClass owner = access.getTargetOwner();
		return access.getName().equals("sleep")
				&& (owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class));
	}

	/**
	 * Follows what the thread of a loop does until it reaches the lanes, or a call that
	 * is for one queue.
	 * @param root where classes are followed
	 */
	static ArchCondition<JavaMethod> reachQueuesThroughLanesOnly(String root) {
		return new ArchCondition<>("reach queues through lanes only") {
			@Override
			public void check(JavaMethod start, ConditionEvents events) {
				Set<JavaCodeUnit> seen = new HashSet<>(Set.of(start));
				Deque<JavaCodeUnit> next = new ArrayDeque<>(seen);
				while (!next.isEmpty()) {
					JavaCodeUnit present = next.pop();
					if (present.getCallsFromSelf().stream().anyMatch((call) -> isLane(call.getTargetOwner()))) {
						// It hands the rest over, or is told that there is one lane only
						continue;
					}
					reached(present).forEach((access) -> {
						if (isForOneQueue(access)) {
							events.add(SimpleConditionEvent.violated(start,
									start.getFullName() + " calls past the lanes: " + access.getDescription()));
						}
						access.getTarget()
							.resolveMember()
							.filter((member) -> member.getOwner().getPackageName().startsWith(root + ".internal"))
							.filter((member) -> seen.add((JavaCodeUnit) member))
							.ifPresent((member) -> next.push((JavaCodeUnit) member));
					});
				}
			}
		};
	}

	private static Stream<JavaCodeUnitAccess<?>> reached(JavaCodeUnit unit) {
		return Stream
			.of(unit.getMethodCallsFromSelf(), unit.getMethodReferencesFromSelf(), unit.getConstructorCallsFromSelf())
			.flatMap(Set::stream);
	}

	private static boolean isLane(JavaClass type) {
		return LANES.stream().anyMatch((lane) -> type.isAssignableTo(lane));
	}

	/** Roles whose methods are each for one queue, whose Redis may hang. */
	private static boolean isForOneQueue(JavaCodeUnitAccess<?> access) {
		return QUEUE_ROLES.contains(access.getTargetOwner().reflect());
	}

	private static boolean isBroker(JavaClass type) {
		return type.isEquivalentTo(RedisBroker.class);
	}

	private static boolean isCallback(JavaClass type) {
		return type.isEquivalentTo(Runnable.class) || type.getPackageName().equals("java.util.function");
	}

	private static boolean keeps(JavaMethod method, JavaClass type) {
		return method.getFieldAccesses()
			.stream()
			.anyMatch((access) -> access.getAccessType() == JavaFieldAccess.AccessType.SET
					&& access.getTarget().getRawType().equals(type));
	}

	private static Stream<JavaClass> types(JavaMember member) {
		if (member instanceof JavaField field) {
			return field.getType().getAllInvolvedRawTypes().stream();
		}
		JavaCodeUnit code = (JavaCodeUnit) member;
		return Stream.concat(code.getReturnType().getAllInvolvedRawTypes().stream(),
				code.getParameterTypes().stream().flatMap((type) -> type.getAllInvolvedRawTypes().stream()));
	}

	private static boolean isTechnology(JavaClass type) {
		return resideInAnyPackage("org.springframework.data..", "com.google.protobuf..", "redis.clients..",
				"io.lettuce..", "io.asynq.internal.redis.*")
			.test(type);
	}

	/**
	 * The connection of the application must come in somewhere.
	 */
	private static boolean isWayIn(JavaMember member, JavaClass type) {
		boolean creates = member.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
				|| member.getOwner().isEquivalentTo(Broker.class) && member.getName().equals("create");
		return creates && type.isEquivalentTo(RedisConnectionFactory.class);
	}

}
