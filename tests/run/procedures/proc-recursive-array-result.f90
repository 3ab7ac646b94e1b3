! A recursive function whose result is an array of varying size: the permutations of a list, and a merge sort.
program proc_recursive_array_result
  implicit none
  integer :: k
  print '(10i3)', sorted([5, 3, 9, 1, 7, 2, 8])
  print '(10i3)', sorted([integer ::])
  do k = 0, 5
    print '(6i4)', row(k)
  end do
contains
  recursive function sorted(a) result(b)
    integer, intent(in) :: a(:)
    integer :: b(size(a)), m, i, j, n
    integer :: left(size(a)/2), right(size(a) - size(a)/2)
    n = size(a)
    if (n <= 1) then
      b = a
      return
    end if
    m = n/2
    left = sorted(a(:m))
    right = sorted(a(m+1:))
    i = 1; j = 1
    do k = 1, n
      if (j > size(right)) then
        b(k) = left(i); i = i + 1
      else if (i > m) then
        b(k) = right(j); j = j + 1
      else if (left(i) <= right(j)) then
        b(k) = left(i); i = i + 1
      else
        b(k) = right(j); j = j + 1
      end if
    end do
  end function
  recursive function row(n) result(r)
    integer, intent(in) :: n
    integer :: r(0:n)
    if (n == 0) then
      r = 1
    else
      r(0:n-1) = row(n-1)
      r(n) = 0
      r(1:n) = r(1:n) + row(n-1)
    end if
  end function
end program
