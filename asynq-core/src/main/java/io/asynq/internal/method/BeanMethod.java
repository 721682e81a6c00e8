package io.asynq.internal.method;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * An annotated method as it is on its bean, behind proxies and with the bean's type
 * arguments.
 */
final class BeanMethod {

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final Class<?> targetClass;

	private final Method method;

	private final Pointcut asynchronous;

	/** What may say what a type variable stands for; the bean's class comes first. */
	private final List<ResolvableType> beanTypes;

	BeanMethod(ConfigurableListableBeanFactory beanFactory, String beanName, Class<?> targetClass, Method method,
			Pointcut asynchronous) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.targetClass = targetClass;
		// A lambda has no types and annotations of its own
		this.method = targetClass.isHidden() ? ClassUtils.getInterfaceMethodIfPossible(method, targetClass) : method;
		this.asynchronous = asynchronous;
		ResolvableType declared = declaredType();
		this.beanTypes = List.of(ResolvableType.forClass(targetClass), declared,
				declared.as(FactoryBean.class).getGeneric());
	}

	Method method() {
		return this.method;
	}

	String beanName() {
		return this.beanName;
	}

	Class<?> targetClass() {
		return this.targetClass;
	}

	TaskHandlerMethod invocable() {
		return new TaskHandlerMethod(this.beanFactory, this.beanName, this.method);
	}

	List<String> problems() {
		if (isSuspending(this.method)) {
			return List.of("is a Kotlin suspend function, which is not supported; make it a plain function, with"
					+ " runBlocking if needed");
		}
		List<String> problems = new ArrayList<>();
		if (this.asynchronous.getClassFilter().matches(this.targetClass)
				&& this.asynchronous.getMethodMatcher().matches(this.method, this.targetClass)) {
			problems.add("runs asynchronously, because it or its class has @Async: it would return before its work is"
					+ " done, and its result and its errors would be lost; remove @Async, or move the method to a class"
					+ " without it");
		}
		Class<?> exposed = exposedClass();
		try {
			AopUtils.selectInvocableMethod(this.method, exposed);
		}
		catch (IllegalStateException ex) {
			problems.add(String.valueOf(ex.getMessage()));
		}
		if (SpringProxy.class.isAssignableFrom(exposed) && !Proxy.isProxyClass(exposed)) {
			String obstacle = obstacle();
			if (obstacle != null) {
				problems.add(obstacle + ", so the proxy of bean '" + this.beanName
						+ "' cannot override it: it would run on the proxy itself, whose fields are null; "
						+ "make the method overridable (not final, and protected or public; in Kotlin, open)");
			}
		}
		return problems;
	}

	/**
	 * Type variables stay if neither the class nor the definition of the bean says what
	 * they stand for.
	 */
	Type resolve(Type type) {
		if (!isOpen(type)) {
			return type;
		}
		if (type instanceof TypeVariable<?> variable) {
			return value(variable);
		}
		if (type instanceof ParameterizedType parameterized) {
			return ResolvableType.forClassWithGenerics((Class<?>) parameterized.getRawType(),
					Stream.of(parameterized.getActualTypeArguments())
						.map((argument) -> ResolvableType.forType(resolve(argument)))
						.toArray(ResolvableType[]::new))
				.getType();
		}
		if (type instanceof GenericArrayType array) {
			Type component = resolve(array.getGenericComponentType());
			return isOpen(component) ? type
					: ResolvableType.forArrayComponent(ResolvableType.forType(component)).getType();
		}
		return (type instanceof WildcardType wildcard) ? resolve(wildcard.getUpperBounds()[0]) : type;
	}

	static boolean isOpen(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			return Stream.of(parameterized.getActualTypeArguments()).anyMatch(BeanMethod::isOpen);
		}
		if (type instanceof GenericArrayType array) {
			return isOpen(array.getGenericComponentType());
		}
		return (type instanceof WildcardType wildcard) ? isOpen(wildcard.getUpperBounds()[0])
				: type instanceof TypeVariable;
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

	/**
	 * Kotlin's suspend functions show only by the argument that the compiler adds.
	 */
	static boolean isSuspending(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
	}

	static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	Type returnedType() {
		return resolve(this.method.getGenericReturnType());
	}

	Class<?> returnedClass() {
		return ResolvableType.forType(returnedType()).resolve(Object.class);
	}

	@Override
	public String toString() {
		return describe(this.method) + " of bean '" + this.beanName + "'";
	}

	private Type value(TypeVariable<?> variable) {
		if (variable.getGenericDeclaration() instanceof Class<?> declaring) {
			int index = List.of(declaring.getTypeParameters()).indexOf(variable);
			for (ResolvableType beanType : this.beanTypes) {
				Type value = beanType.as(declaring).getGeneric(index).getType();
				if (value instanceof WildcardType wildcard) {
					Type bound = wildcard.getUpperBounds()[0];
					value = (bound != Object.class) ? bound : variable;
				}
				value = value.equals(variable) ? variable : resolve(value);
				if (value != ResolvableType.NONE.getType() && !isOpen(value)) {
					return value;
				}
			}
		}
		return variable;
	}

	private ResolvableType declaredType() {
		String scoped = ScopedProxyUtils.getTargetBeanName(this.beanName);
		String name = this.beanFactory.containsBeanDefinition(scoped) ? scoped : this.beanName;
		return this.beanFactory.containsBeanDefinition(name)
				? this.beanFactory.getMergedBeanDefinition(name).getResolvableType() : ResolvableType.NONE;
	}

	/**
	 * With its proxies, even if the bean is created later.
	 */
	private Class<?> exposedClass() {
		Class<?> type = this.beanFactory.getType(this.beanName);
		Class<?> exposed = (type != null) ? type : this.targetClass;
		if (!this.beanFactory.containsSingleton(this.beanName)
				&& this.beanFactory instanceof AbstractBeanFactory beans) {
			for (BeanPostProcessor processor : beans.getBeanPostProcessors()) {
				if (processor instanceof SmartInstantiationAwareBeanPostProcessor proxies) {
					Class<?> determined = proxies.determineBeanType(exposed, this.beanName);
					exposed = SpringProxy.class.isAssignableFrom(determined) ? determined : exposed;
				}
			}
		}
		return exposed;
	}

	private @Nullable String obstacle() {
		int modifiers = this.method.getModifiers();
		if (Modifier.isStatic(modifiers) || Modifier.isPrivate(modifiers)) {
			return null;
		}
		if (Modifier.isFinal(modifiers)) {
			return "is final";
		}
		boolean visible = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)
				|| this.method.getDeclaringClass().getPackage() == this.targetClass.getPackage();
		return visible ? null : "is package-private in a superclass of another package";
	}

}
