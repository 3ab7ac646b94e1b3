! told at 6:7: Pointer 'p' is not associated
program fault
  integer, pointer :: p
  integer :: k
  p => find(0)
  k = p
  print *, k
contains
    function find(n) result(q)
      integer, intent(in) :: n
      integer, pointer :: q
      nullify (q)
      if (n > 0) allocate (q, source=n)
    end function
end program
