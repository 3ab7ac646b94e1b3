! Arguments by reference, temporaries, copies back, character results, internal procedures.
program calls
  integer :: i, v(10)
  character(len=5) :: c
  real(8) :: twice
  external twice
  character(len=3), external :: name
  i = 4
  call sub(i, i + 1, v(3), v(2:8:2), 'ab' // c)
  c = name(7)
  print *, twice(1.5d0), c
  call inner
contains
  subroutine inner
    integer :: k
    k = i
    do i = 1, k
      v(i) = v(i) + k
    end do
  end subroutine
end program
