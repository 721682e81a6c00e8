package io.asynq.outbox.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database that refuses some statements.
 */
final class RefusingDataSource extends DelegatingDataSource {

	private final Function<String, @Nullable SQLException> refusal;

	/**
	 * @param refusal what it says to a statement, {@code null} if it executes it
	 */
	RefusingDataSource(DataSource target, Function<String, @Nullable SQLException> refusal) {
		super(target);
		this.refusal = refusal;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return refusing(super.getConnection(), Connection.class);
	}

	private <T> T refusing(T target, Class<T> type) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(target, method, arguments)));
	}

	private Object call(Object target, Method method, Object[] arguments) throws Throwable {
		SQLException refusal = (arguments != null) ? this.refusal.apply(String.valueOf(arguments[0])) : null;
		if (refusal != null) {
			throw refusal;
		}
		try {
			Object result = method.invoke(target, arguments);
			return (method.getReturnType() == Statement.class) ? refusing((Statement) result, Statement.class) : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
