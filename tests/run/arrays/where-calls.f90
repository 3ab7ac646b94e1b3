! Functions in WHERE: elemental ones are called where the mask holds, others once on whole arrays, each
! assignment sees those before it, and the mask is what it was at the start.
module parts
  implicit none
  type pair
    integer :: i
    character(2) :: c
  end type pair
contains
  elemental integer function quotient(a, b)
    integer, intent(in) :: a, b
    quotient = a / b
  end function quotient

  elemental integer function twice(a)
    integer, intent(in) :: a
    twice = 2 * a
  end function twice

  elemental type(pair) function made(i)
    integer, intent(in) :: i
    made = pair(i, achar(iachar('a') + i))
  end function made

  pure integer function largest(a)
    integer, intent(in) :: a(:)
    largest = maxval(a)
  end function largest

  pure integer function smallest(a)
    integer, intent(in) :: a(:)
    smallest = minval(a)
  end function smallest
end module parts

program calls
  use parts
  implicit none
  integer :: a(6) = [10, 20, 30, 40, 50, 60], b(6) = [1, 0, 3, 0, 5, 0], c(6), d(6), k
  type(pair) :: p(6), q(6)
  logical :: even(6) = [(mod(k, 2) == 0, k = 1, 6)]

  c = -1
  where (b /= 0) c = quotient(a, b)
  print *, c
  where (b /= 0)
    c = a + 1
    d = twice(c)
  elsewhere (a > 30)
    d = twice(c) + 1
    c = 0
  elsewhere
    d = 0
  end where
  print *, c
  print *, d
  where (even)
    even = .false.
    a = largest(a)
  elsewhere
    even = .true.
    a = smallest(a)
  end where
  print *, a
  print *, even
  ! The argument of a sum is a whole array.
  where (even) d = sum(twice(b)) + twice(b)
  print *, d
  p = made([1, 2, 3, 4, 5, 6])
  q = pair(0, '--')
  where (even) q = p
  print '(6(i2, a3))', q
  where (.not. even)
    q = p(6:1:-1)
  elsewhere (p%i > 2)
    q%i = twice(q%i)
    q%c = 'zz'
  end where
  print '(6(i2, a3))', q
  where (even)
    where (q%i > 6)
      q = made(q%i - 5)
    elsewhere
      q%i = twice(q%i)
    end where
  end where
  print '(6(i2, a3))', q
end program calls
