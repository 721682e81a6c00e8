package io.asynq.payload;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.jdk.IterableSerializer;
import tools.jackson.databind.ser.std.ToEmptyObjectSerializer;
import tools.jackson.databind.util.NameTransformer;

/**
 * Has objects written as they can be read again, or refused.
 */
final class FaithfulTypes extends ValueSerializerModifier {

	/** What libraries call their trees; the part before it differs. */
	private static final Pattern TREE = Pattern
		.compile("(Json|JSON|Js|Bson)(Node|Element|Value|Object|Array|Serializable)");

	@Override
	public ValueSerializer<?> modifySerializer(SerializationConfig config, BeanDescription.Supplier description,
			ValueSerializer<?> serializer) {
		boolean guessed = serializer instanceof BeanSerializerBase || serializer instanceof IterableSerializer
				|| serializer instanceof ToEmptyObjectSerializer || isReadOnce(description.getBeanClass());
		String reason = guessed ? reason(description, serializer) : null;
		if (reason != null) {
			return new Refusing(description.getBeanClass().getName() + reason);
		}
		return description.getClassInfo().hasAnnotation(JsonTypeInfo.class)
				? new Typed(description.getBeanClass(), serializer, null) : serializer;
	}

	private static @Nullable String reason(BeanDescription.Supplier description, ValueSerializer<?> serializer) {
		Class<?> type = description.getBeanClass();
		if (!type.isRecord() && isTree(type)) {
			return " is a JSON type of another library: use tools.jackson.databind.JsonNode, a Map or a text,"
					+ " or give it a serializer";
		}
		if (isOfJvm(type) || isReadOnce(type) || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
			return " is no value: use what it contains or returns, or give it a serializer";
		}
		boolean empty = serializer instanceof ToEmptyObjectSerializer || (serializer instanceof BeanSerializerBase
				&& !serializer.properties().hasNext() && (type.isHidden() || hides(description)));
		return empty ? " has no property that can be seen: make it a record, give it getters, or annotate its fields"
				+ " with @JsonProperty" : null;
	}

	private static boolean isTree(Class<?> type) {
		for (Class<?> one = type; one != null; one = one.getSuperclass()) {
			if (TREE.matcher(one.getSimpleName()).matches()) {
				return true;
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.anyMatch((one) -> TREE.matcher(one.getSimpleName()).matches());
	}

	/** Of what the JVM brings, only errors are written by their getters. */
	private static boolean isOfJvm(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return (loader == null || loader == ClassLoader.getPlatformClassLoader())
				&& !Throwable.class.isAssignableFrom(type) && type != StackTraceElement.class;
	}

	private static boolean isReadOnce(Class<?> type) {
		return BaseStream.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type);
	}

	private static boolean hides(BeanDescription.Supplier description) {
		Set<String> told = new HashSet<>(description.get().getIgnoredPropertyNames());
		description.get().findProperties().forEach((property) -> told.add(property.getInternalName()));
		for (AnnotatedField field : description.getClassInfo().fields()) {
			if (!field.isTransient() && !field.hasAnnotation(JsonIgnore.class) && !told.contains(field.getName())) {
				return true;
			}
		}
		return false;
	}

	private static final class Refusing extends ValueSerializer<Object> {

		private final String reason;

		Refusing(String reason) {
			this.reason = reason;
		}

		@Override
		public void serialize(Object value, JsonGenerator json, SerializationContext context) {
			throw new UnwritableException(json, this.reason);
		}

		@Override
		public void serializeWithType(Object value, JsonGenerator json, SerializationContext context,
				TypeSerializer type) {
			serialize(value, json, context);
		}

	}

	/**
	 * Writes the type id also where the declared type asks for none, as in a list whose
	 * elements have no declared type.
	 */
	private static final class Typed extends ValueSerializer<Object> {

		private final Class<?> type;

		private final ValueSerializer<Object> values;

		private final @Nullable TypeSerializer ids;

		@SuppressWarnings("unchecked")
		Typed(Class<?> type, ValueSerializer<?> values, @Nullable TypeSerializer ids) {
			this.type = type;
			this.values = (ValueSerializer<Object>) values;
			this.ids = ids;
		}

		@Override
		public void resolve(SerializationContext context) {
			this.values.resolve(context);
		}

		@Override
		public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty property) {
			ValueSerializer<Object> values = context.handleSecondaryContextualization(this.values, property);
			JsonTypeInfo own = (property != null) ? property.getAnnotation(JsonTypeInfo.class) : null;
			TypeSerializer found = (own == null || own.use() != JsonTypeInfo.Id.NONE)
					? context.findTypeSerializer(context.constructType(this.type)) : null;
			return new Typed(this.type, values, (found != null) ? found.forProperty(context, null) : null);
		}

		@Override
		public void serialize(Object value, JsonGenerator json, SerializationContext context) {
			if (this.ids != null) {
				this.values.serializeWithType(value, json, context, this.ids);
			}
			else {
				this.values.serialize(value, json, context);
			}
		}

		@Override
		public void serializeWithType(Object value, JsonGenerator json, SerializationContext context,
				TypeSerializer ids) {
			this.values.serializeWithType(value, json, context, ids);
		}

		@Override
		public ValueSerializer<Object> unwrappingSerializer(NameTransformer names) {
			return this.values.unwrappingSerializer(names);
		}

		@Override
		public boolean isEmpty(SerializationContext context, Object value) {
			return this.values.isEmpty(context, value);
		}

		@Override
		public boolean usesObjectId() {
			return this.values.usesObjectId();
		}

	}

}
