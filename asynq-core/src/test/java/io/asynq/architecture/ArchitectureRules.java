package io.asynq.architecture;

import java.time.Clock;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.google.protobuf.MessageLite;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.asynq.broker.QueueReader;
import io.asynq.inspect.AsynqInspector;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules of the house, for the packages below a root: the library's, or that of
 * classes which break the rules on purpose.
 */
final class ArchitectureRules {

	private final String root;

	ArchitectureRules(String root) {
		this.root = root;
	}

	ArchRule noCycles() {
		return slices().matching(this.root + ".(**)").should().beFreeOfCycles();
	}

	ArchRule vocabularyStandsAlone() {
		return noClasses().that().resideInAPackage(this.root).should().dependOnClassesThat(oursOtherThan(this.root));
	}

	ArchRule clientKeepsToItself() {
		return noClasses().that(residesIn("client")).should().dependOnClassesThat(residesIn("server", "inspect"));
	}

	ArchRule inspectKeepsToItself() {
		return noClasses().that(residesIn("inspect")).should().dependOnClassesThat(residesIn("client", "server"));
	}

	ArchRule serverUsesHandlerOnly() {
		return noClasses().that(residesIn("server"))
			.should()
			.dependOnClassesThat(oursOtherThan(this.root, in("server"), in("broker"), in("lifecycle"), in("logging"),
					in("handler"), in("observation")));
	}

	ArchRule schedulerUsesClientOnly() {
		return noClasses().that(residesIn("scheduler"))
			.should()
			.dependOnClassesThat(oursOtherThan(this.root, in("scheduler"), in("broker"), in("lifecycle"), in("logging"),
					in("client")))
			.allowEmptyShould(true);
	}

	ArchRule nobodyUsesAnnotation() {
		return noClasses().that(outside("annotation")).should().dependOnClassesThat(residesIn("annotation"));
	}

	ArchRule nobodyUsesTheAdapter() {
		return noClasses().that(outside("broker.redis")).should().dependOnClassesThat(residesIn("broker.redis"));
	}

	ArchRule onlyTheAdapterKnowsSpringDataRedis() {
		return noClasses().that(outside("broker.redis"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.data..");
	}

	ArchRule onlyTheAdapterKnowsProtobuf() {
		return noClasses().that(outside("broker.redis"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.google.protobuf..");
	}

	ArchRule nobodyKnowsADriver() {
		return noClasses().that(outside("broker.redis.jedis", "broker.redis.lettuce"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("redis.clients..", "io.lettuce..", "org.redisson..");
	}

	ArchRule nobodyKnowsBoot() {
		return noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..");
	}

	ArchRule generatedMessagesLieBelowTheAdapter() {
		return classes().that()
			.areAssignableTo(MessageLite.class)
			.should()
			.resideInAPackage(this.root + ".broker.redis.*");
	}

	ArchRule publicSignaturesShowNoTechnology() {
		return members().that(DescribedPredicate.describe("are visible to users", this::isVisible))
			.should(showNoTechnology());
	}

	ArchRule timeComesFromAClock() {
		return noClasses().should()
			.accessTargetWhere(DescribedPredicate.describe("reads the system's time",
					(JavaAccess<?> access) -> readsTime(access)));
	}

	ArchRule nobodySleeps() {
		return noClasses().should()
			.accessTargetWhere(DescribedPredicate.describe("sleeps", (JavaAccess<?> access) -> sleeps(access)));
	}

	/**
	 * Anybody may list queues, and many thousands: who goes over all of them on a timer
	 * is in everybody's way. Metrics do so when they are read.
	 */
	ArchRule nothingGoesOverAllQueues() {
		return noClasses().that(outside("inspect", "metrics"))
			.should()
			.callMethodWhere(DescribedPredicate.describe("asks for all queues",
					(JavaMethodCall call) -> call.getName().equals("queues")
							&& (call.getTargetOwner().isAssignableTo(QueueReader.class)
									|| call.getTargetOwner().isAssignableTo(AsynqInspector.class))));
	}

	ArchRule onlyLoggingMakesLoggers() {
		return noClasses().that(outside("logging"))
			.should()
			.callMethodWhere(DescribedPredicate.describe("makes a logger whose lines others can forge",
					(JavaMethodCall call) -> call.getTargetOwner().isAssignableTo(LoggerFactory.class)));
	}

	private DescribedPredicate<JavaClass> residesIn(String... packages) {
		return resideInAnyPackage(
				Stream.of(packages).map((name) -> this.root + "." + name + "..").toArray(String[]::new));
	}

	private DescribedPredicate<JavaClass> outside(String... names) {
		return DescribedPredicate.not(residesIn(names));
	}

	private String in(String name) {
		// The adapter is a package of its own, not a part of the contracts
		return this.root + "." + name + (name.equals("broker") ? "" : "..");
	}

	private DescribedPredicate<JavaClass> oursOtherThan(String... allowed) {
		return resideInAPackage(this.root + "..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
	}

	private boolean isVisible(JavaMember member) {
		Set<JavaModifier> modifiers = member.getModifiers();
		return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
				&& member.getOwner().getModifiers().contains(JavaModifier.PUBLIC)
				&& !resideInAPackage(this.root + ".broker.redis.*").test(member.getOwner());
	}

	private static ArchCondition<JavaMember> showNoTechnology() {
		return new ArchCondition<>("show no Redis or protobuf type") {
			@Override
			public void check(JavaMember member, ConditionEvents events) {
				types(member).filter(ArchitectureRules::isTechnology)
					.filter((type) -> !isWayIn(member, type))
					.forEach((type) -> events
						.add(SimpleConditionEvent.violated(member, member.getFullName() + " shows " + type.getName())));
			}
		};
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
				"io.lettuce..", "io.asynq.broker.redis.*")
			.test(type);
	}

	/**
	 * The application's connection has to come in somewhere.
	 */
	private static boolean isWayIn(JavaMember member, JavaClass type) {
		return member.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
				&& type.isEquivalentTo(RedisConnectionFactory.class);
	}

	private static boolean readsTime(JavaAccess<?> access) {
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

	private static boolean sleeps(JavaAccess<?> access) {
		JavaClass owner = access.getTargetOwner();
		return access.getName().equals("sleep")
				&& (owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class));
	}

}
