! The specific procedure of a generic name is found by type, kind and rank of each kind of expression: literals, operations,
! elements, sections, substrings, components, intrinsic functions, constructors, associate names.
module what
  implicit none
  type u
    integer :: n = 7
    character(4) :: names(3) = "abcd"
  end type
  type t
    integer :: i = 1
    character(4) :: c(3) = "wxyz"
    real(8), pointer :: p(:, :) => null()
    complex :: z = (1.0, 2.0)
    type(u) :: u(2)
    integer, allocatable :: a(:)
  end type
  interface tell
    module procedure i1_0, i1_1, i1_2
    module procedure i4_0, i4_1, i4_2
    module procedure i8_0, i8_1, i8_2
    module procedure r4_0, r4_1, r4_2
    module procedure r8_0, r8_1, r8_2
    module procedure c4_0, c4_1, c4_2
    module procedure c8_0, c8_1, c8_2
    module procedure l1_0, l1_1, l1_2
    module procedure l4_0, l4_1, l4_2
    module procedure l8_0, l8_1, l8_2
    module procedure ch_0, ch_1, ch_2
    module procedure t_0, t_1, t_2
  end interface
  interface operator(+)
    module procedure add_t, add_ts
  end interface
  interface operator(.dot.)
    module procedure dot_r8, dot_t
  end interface
  interface operator(.not.)
    module procedure not_t
  end interface
contains
  subroutine i1_0(x); integer(1), intent(in) :: x; print *, "i1 0"; end subroutine
  subroutine i1_1(x); integer(1), intent(in) :: x(:); print *, "i1 1"; end subroutine
  subroutine i1_2(x); integer(1), intent(in) :: x(:, :); print *, "i1 2"; end subroutine
  subroutine i4_0(x); integer(4), intent(in) :: x; print *, "i4 0"; end subroutine
  subroutine i4_1(x); integer(4), intent(in) :: x(:); print *, "i4 1"; end subroutine
  subroutine i4_2(x); integer(4), intent(in) :: x(:, :); print *, "i4 2"; end subroutine
  subroutine i8_0(x); integer(8), intent(in) :: x; print *, "i8 0"; end subroutine
  subroutine i8_1(x); integer(8), intent(in) :: x(:); print *, "i8 1"; end subroutine
  subroutine i8_2(x); integer(8), intent(in) :: x(:, :); print *, "i8 2"; end subroutine
  subroutine r4_0(x); real(4), intent(in) :: x; print *, "r4 0"; end subroutine
  subroutine r4_1(x); real(4), intent(in) :: x(:); print *, "r4 1"; end subroutine
  subroutine r4_2(x); real(4), intent(in) :: x(:, :); print *, "r4 2"; end subroutine
  subroutine r8_0(x); real(8), intent(in) :: x; print *, "r8 0"; end subroutine
  subroutine r8_1(x); real(8), intent(in) :: x(:); print *, "r8 1"; end subroutine
  subroutine r8_2(x); real(8), intent(in) :: x(:, :); print *, "r8 2"; end subroutine
  subroutine c4_0(x); complex(4), intent(in) :: x; print *, "c4 0"; end subroutine
  subroutine c4_1(x); complex(4), intent(in) :: x(:); print *, "c4 1"; end subroutine
  subroutine c4_2(x); complex(4), intent(in) :: x(:, :); print *, "c4 2"; end subroutine
  subroutine c8_0(x); complex(8), intent(in) :: x; print *, "c8 0"; end subroutine
  subroutine c8_1(x); complex(8), intent(in) :: x(:); print *, "c8 1"; end subroutine
  subroutine c8_2(x); complex(8), intent(in) :: x(:, :); print *, "c8 2"; end subroutine
  subroutine l1_0(x); logical(1), intent(in) :: x; print *, "l1 0"; end subroutine
  subroutine l1_1(x); logical(1), intent(in) :: x(:); print *, "l1 1"; end subroutine
  subroutine l1_2(x); logical(1), intent(in) :: x(:, :); print *, "l1 2"; end subroutine
  subroutine l4_0(x); logical(4), intent(in) :: x; print *, "l4 0"; end subroutine
  subroutine l4_1(x); logical(4), intent(in) :: x(:); print *, "l4 1"; end subroutine
  subroutine l4_2(x); logical(4), intent(in) :: x(:, :); print *, "l4 2"; end subroutine
  subroutine l8_0(x); logical(8), intent(in) :: x; print *, "l8 0"; end subroutine
  subroutine l8_1(x); logical(8), intent(in) :: x(:); print *, "l8 1"; end subroutine
  subroutine l8_2(x); logical(8), intent(in) :: x(:, :); print *, "l8 2"; end subroutine
  subroutine ch_0(x); character(*), intent(in) :: x; print *, "ch 0", len(x); end subroutine
  subroutine ch_1(x); character(*), intent(in) :: x(:); print *, "ch 1", len(x); end subroutine
  subroutine ch_2(x); character(*), intent(in) :: x(:, :); print *, "ch 2", len(x); end subroutine
  subroutine t_0(x); type(t), intent(in) :: x; print *, "t 0"; end subroutine
  subroutine t_1(x); type(t), intent(in) :: x(:); print *, "t 1"; end subroutine
  subroutine t_2(x); type(t), intent(in) :: x(:, :); print *, "t 2"; end subroutine
  function add_t(a, b) result(c)
    type(t), intent(in) :: a, b
    type(t) :: c
    c%i = a%i + b%i
  end function
  function add_ts(a, b) result(c)
    type(t), intent(in) :: a
    integer, intent(in) :: b
    integer(8) :: c(2)
    c = a%i + b
  end function
  function dot_r8(a, b) result(c)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: c
    c = sum(a * b)
  end function
  function dot_t(a, b) result(c)
    type(t), intent(in) :: a
    real, intent(in) :: b(:)
    logical(1) :: c(size(b), 2)
    c = a%i > 0
  end function
  elemental function not_t(a) result(c)
    type(t), intent(in) :: a
    logical(8) :: c
    c = a%i == 0
  end function
  elemental function twice(x) result(y)
    real(8), intent(in) :: x
    integer(1) :: y
    y = int(2 * x, 1)
  end function
  pure function text(n) result(s)
    integer, intent(in) :: n
    character(n) :: s
    s = repeat("*", n)
  end function
end module
program tells
  use what
  implicit none
  integer :: i, n = 3
  integer(8) :: k = 2
  real :: x = 1.5, v(3) = [1., 2., 3.]
  real(8) :: y = 2.5d0, m(2, 3) = 1d0, w(3) = 2d0
  complex :: z = (1., 2.)
  complex(8) :: zz(2) = (1d0, 0d0)
  logical :: l = .true., mask(3) = [.true., .false., .true.]
  character(5) :: s = "hello", ss(4) = "abcde"
  type(t) :: a, b(2)
  real(8), target :: target_(4, 5) = 0
  real(8) :: f, g
  f(g) = g * n
  allocate (a%p(2, 2), a%a(4))
  a%p = 0; a%a = 3
  call tell(1); call tell(1_8); call tell(1.5); call tell(1d0); call tell((1., 2.))
  call tell((1, 2d0)); call tell(.true.); call tell(.false._1); call tell("abc"); call tell(n)
  call tell(k); call tell(x); call tell(y); call tell(z); call tell(zz); call tell(mask)
  call tell(s); call tell(ss); call tell(a); call tell(b); call tell(n + k); call tell(n * x)
  call tell(x ** n); call tell(n ** x); call tell(x ** y); call tell(z * y); call tell(zz * x)
  call tell(-m); call tell(+k); call tell((m)); call tell(n == k); call tell(v > 1)
  call tell(mask .and. l); call tell(.not. mask); call tell(l .eqv. .false._1)
  call tell(s // "xy"); call tell(ss // s); call tell(s == "x"); call tell(n / 2 * 3.0 ** 2)
  call tell(v(1)); call tell(v(2:3)); call tell(v(:)); call tell(m(1, :)); call tell(m(:, 2:3))
  call tell(m(n - 2, [1, 2])); call tell(v([3, 1, 2])); call tell(s(2:3)); call tell(s(n:))
  call tell(ss(2)); call tell(ss(2)(1:2)); call tell(ss(1:3)(2:4)); call tell(ss(:)(n:n + 1))
  call tell(a%i); call tell(a%c); call tell(a%c(2)); call tell(a%c(2)(1:2)); call tell(a%p)
  call tell(a%p(1, :)); call tell(a%p(1, 1)); call tell(a%z); call tell(a%z%re); call tell(a%z%im)
  call tell(z%re); call tell(zz%im); call tell(zz(1)%re); call tell(a%u%n); call tell(a%u(1)%n)
  call tell(a%u(1)%names); call tell(a%u%names(2)); call tell(b%i); call tell(b%z%re)
  call tell(b(1)%c); call tell(b%c(1)); call tell(a%a); call tell(a%a(2:3)); call tell(b(1)%u%n)
  call tell(a + b(1)); call tell(a + 3); call tell((a + 3)); call tell(w .dot. w)
  call tell(w(1:2) .dot. m(:, 1)); call tell(b(2) .dot. v); call tell(.not. a); call tell(.not. b)
  call tell(twice(y)); call tell(twice(m)); call tell(twice(m(1, :))); call tell(text(4))
  call tell(f(y)); call tell(f(2d0)); call tell(abs(n)); call tell(abs(z)); call tell(abs(zz))
  call tell(sqrt(y)); call tell(sqrt(m)); call tell(max(n, 2)); call tell(max(k, 3_8))
  call tell(max(1.5, x, v)); call tell(amax0(1, n)); call tell(max1(x, 2.)); call tell(int(y))
  call tell(int(v, 8)); call tell(nint(m)); call tell(nint(y, 8)); call tell(floor(v))
  call tell(real(n)); call tell(real(n, 8)); call tell(real(zz)); call tell(real(z))
  call tell(cmplx(x)); call tell(cmplx(x, kind=8)); call tell(cmplx(m, m)); call tell(dble(v))
  call tell(aimag(z)); call tell(conjg(zz)); call tell(logical(l, 1)); call tell(aint(y))
  call tell(aint(x, 8)); call tell(mod(k, 2_8)); call tell(sign(y, -1d0)); call tell(iand(k, 3_8))
  call tell(ishft(n, 2)); call tell(btest(n, 1)); call tell(popcnt(k)); call tell(merge(1, 2, l))
  call tell(merge(v, 0., mask)); call tell(merge("a", "b", mask))
  call tell(merge(b, b, [.true., .false.])); call tell(dprod(x, x)); call tell(atan2(y, y))
  call tell(atan(x, x)); call tell(exponent(y)); call tell(scale(x, 2)); call tell(shiftl(k, 1))
  call tell(maskl(3)); call tell(maskl(3, 8)); call tell(bge(n, 2)); call tell(poppar(k))
  call tell(achar(65)); call tell(char(n + 60)); call tell(ichar("a")); call tell(iachar("a", 8))
  call tell(len(s)); call tell(len(ss, 8)); call tell(len_trim(ss)); call tell(trim(s))
  call tell(adjustl(ss)); call tell(repeat("ab", 2)); call tell(index(s, "l"))
  call tell(index(ss, "c", .true.)); call tell(scan(s, "l", kind=8)); call tell(verify(ss, "a"))
  call tell(lge(s, "a")); call tell(new_line(s)); call tell(kind(x)); call tell(huge(k))
  call tell(epsilon(y)); call tell(huge(1_1)); call tell(tiny(v)); call tell(digits(m))
  call tell(precision(y)); call tell(range(k)); call tell(selected_int_kind(5))
  call tell(bit_size(k)); call tell(size(m)); call tell(size(m, 1)); call tell(size(m, kind=8))
  call tell(shape(m)); call tell(shape(m, 8)); call tell(lbound(m)); call tell(lbound(m, 1))
  call tell(ubound(v)); call tell(ubound(m, 2, 8)); call tell(allocated(a%a))
  call tell(associated(a%p)); call tell(storage_size(x)); call tell(sum(v)); call tell(sum(m))
  call tell(sum(m, 1)); call tell(sum(m, mask=m > 0)); call tell(sum(m, 2, m > 0))
  call tell(product(v, mask)); call tell(maxval(m)); call tell(maxval(m, 1)); call tell(maxval(ss))
  call tell(minloc(m)); call tell(minloc(v, 1)); call tell(minloc(m, 2))
  call tell(maxloc(v, mask)); call tell(maxloc(v, 1, kind=8)); call tell(findloc(v, 2.))
  call tell(findloc(v, 2., 1)); call tell(count(mask)); call tell(count(m > 0, 1))
  call tell(count(mask, kind=8)); call tell(any(mask)); call tell(all(m > 0, 2))
  call tell(norm2(v)); call tell(norm2(m, 1)); call tell(dot_product(v, w))
  call tell(matmul(m, w)); call tell(matmul(m, transpose(m))); call tell(matmul([1., 2.], m))
  call tell(transpose(m)); call tell(cshift(v, 1)); call tell(cshift(ss, 1))
  call tell(eoshift(m, 1)); call tell(spread(v, 1, 2)); call tell(spread(n, 1, 3))
  call tell(reshape(v, [3])); call tell(reshape([1, 2, 3, 4], [2, 2]))
  call tell(reshape(ss, [2, 2])); call tell(pack(m, m > 0)); call tell(pack(b, [.true., .false.]))
  call tell(unpack([1, 2], mask, 0)); call tell(transfer(x, n)); call tell(transfer(v, 1d0))
  call tell(transfer(y, [1])); call tell(transfer(y, v, 2)); call tell(iall([1, 2]))
  call tell(parity(mask)); call tell([1, 2, 3]); call tell([1, 2] + k)
  call tell([real(8) :: 1, 2]); call tell([character(3) :: "a", "bc"]); call tell(["ab", "cd"])
  call tell([(i, i = 1, n)]); call tell([(i * 1d0, i = 1, 3)]); call tell([(s(i:i), i = 1, 3)])
  call tell([(s(i:i + 1), i = 1, 3)]); call tell([a, b]); call tell([(b(i), i = 1, 2)])
  call tell([((k, i = 1, 2), n = 1, 2)]); call tell([v, x]); call tell([integer(8) ::])
  call tell([text(2), text(2)]); call tell(merge(a, b(1), l)); call tell(real(1, kind(y)))
  call tell(huge(1_8))
  associate (q => m(1, :), r => s(2:3), o => b(1)%u, h => n + k, e => a%c)
    call tell(q)
    call tell(q(2))
    call tell(q(1:2) * 2)
    call tell(r)
    call tell(r(1:1))
    call tell(o%n)
    call tell(o(1)%names)
    call tell(h)
    call tell(e(2)(1:1))
    associate (qq => q(1:2), oo => o(2))
      call tell(qq)
      call tell(oo%n + h)
    end associate
  end associate
  block
    integer(1) :: n(2, 2)
    n = 1_1
    call tell(n)
    call tell(n(1, :) + 1_1)
  end block
end program
