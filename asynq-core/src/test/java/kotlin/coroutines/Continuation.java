package kotlin.coroutines;

/**
 * Stands for Kotlin's, which the compiler adds to the arguments of suspend functions.
 *
 * @param <T> what the function returns
 */
public interface Continuation<T> {

}
