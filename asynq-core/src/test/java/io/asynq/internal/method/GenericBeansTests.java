package io.asynq.internal.method;

import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Payload types of methods with type variables come from the bean's class or definition.
 */
class GenericBeansTests {

	private static final String ORDER = "{\"id\":\"o-1\"}";

	@ParameterizedTest
	@ValueSource(classes = { DeclaredByMethod.class, DeclaredAsSupertype.class, DeclaredLazily.class,
			DeclaredScoped.class, DeclaredByFactory.class, DeclaredByLambda.class, OrderExporter.class,
			SubclassBehindWildcard.class })
	void payloadHasTypeOfTheBean(Class<?> beans) throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(beans)) {
			assertThat(HandlerContexts.process(context, Task.of("one", ORDER))).isEqualTo("Order[id=o-1]");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "many | [" + ORDER + "] | [Order[id=o-1]]",
					"mapped | {\"a\":[" + ORDER + "]} | {a=[Order[id=o-1]]}",
					"array | [" + ORDER + "] | [Order[id=o-1]]", "wild | [" + ORDER + "] | [Order[id=o-1]]" })
	void typeIsKnownInsideOtherTypes(String type, String payload, String result) throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(NestedTypes.class)) {
			assertThat(HandlerContexts.process(context, Task.of(type, payload))).isEqualTo(result);
		}
	}

	@Test
	void listOfAggregatorHasTypeOfTheBean() throws Exception {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Mergers.class)) {
			assertThat(AggregatorBeans
				.text(AggregatorBeans.aggregate(context, "q", "g", List.of(Task.of("a", ORDER), Task.of("a", ORDER)))))
				.isEqualTo("[Order[id=o-1], Order[id=o-1]]");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Exporter.class, DeclaredRaw.class, DeclaredWithWildcard.class, BoundedRaw.class,
			OpenMerger.class, NestedRaw.class, DeclaredAsInterface.class })
	void unknownTypeIsRefusedByName(Class<?> beans) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> HandlerContexts.start(beans))
			.withMessageMatching("(?s).*" + "\\.(handle|merge)\\(.*\\) of bean '.*': .*(type|concrete)" + ".*");
	}

	record Order(String id) {
	}

	static class Exporter<T> {

		@TaskHandler("one")
		String handle(T payload) {
			return payload.toString().replaceAll("^.*\\$", "");
		}

	}

	static class OrderExporter extends Exporter<Order> {

	}

	static class CsvExporter<S> extends Exporter<S> {

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredByMethod {

		@Bean
		Exporter<Order> orders() {
			return new Exporter<>();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsSupertype {

		@Bean
		Exporter<Order> orders() {
			return new CsvExporter<>();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SubclassBehindWildcard {

		@Bean
		Exporter<?> orders() {
			return new OrderExporter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredLazily {

		@Bean
		@Lazy
		CsvExporter<Order> orders() {
			return new CsvExporter<>();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredScoped {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Exporter<Order> orders() {
			return new Exporter<>();
		}

	}

	static class DeclaredByFactory implements FactoryBean<Exporter<Order>> {

		@Override
		public Exporter<Order> getObject() {
			return new Exporter<>();
		}

		@Override
		public Class<?> getObjectType() {
			return Exporter.class;
		}

	}

	@FunctionalInterface
	interface Handling<T> {

		@TaskHandler("one")
		String handle(T payload);

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredByLambda {

		@Bean
		Handling<Order> orders() {
			return (order) -> "Order[id=" + order.id() + "]";
		}

	}

	static class Nested<T> {

		@TaskHandler("many")
		String handle(List<T> payloads) {
			return shown(payloads);
		}

		@TaskHandler("mapped")
		String mapped(Map<String, List<T>> payloads) {
			return shown(payloads);
		}

		@TaskHandler("array")
		String array(T[] payloads) {
			return shown(List.of(payloads));
		}

		@TaskHandler("wild")
		String wild(List<? extends T> payloads) {
			return shown(payloads);
		}

		private static String shown(Object payloads) {
			return payloads.toString().replace(GenericBeansTests.class.getName() + "$", "");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NestedTypes {

		@Bean
		Nested<Order> orders() {
			return new Nested<>();
		}

	}

	@SuppressWarnings("rawtypes")
	@Configuration(proxyBeanMethods = false)
	static class NestedRaw {

		@Bean
		Nested orders() {
			return new Nested();
		}

	}

	static class Merger<T> {

		@TaskAggregator(type = "x")
		String merge(List<T> payloads) {
			return Nested.shown(payloads);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mergers {

		@Bean
		Merger<Order> orders() {
			return new Merger<>();
		}

	}

	static class OpenMerger<T> extends Merger<T> {

	}

	@SuppressWarnings("rawtypes")
	@Configuration(proxyBeanMethods = false)
	static class DeclaredRaw {

		@Bean
		Exporter orders() {
			return new Exporter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredWithWildcard {

		@Bean
		Exporter<?> orders() {
			return new Exporter<>();
		}

	}

	static class BoundedRaw<T extends Record> {

		@TaskHandler("one")
		String handle(T payload) {
			return payload.toString();
		}

	}

	static class Implementation<T> implements Handling<T> {

		@Override
		public String handle(T payload) {
			return payload.toString();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsInterface {

		@Bean
		Handling<Order> orders() {
			return new Implementation<>();
		}

	}

}
