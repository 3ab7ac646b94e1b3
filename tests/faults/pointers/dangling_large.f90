! told at 9:3: Dangling pointer 'q': its target was deallocated at dangling_large.f90:8
program fault
  real, pointer :: p(:, :), q(:)
  allocate (p(1000, 1000))
  p = 1
  q => p(:, 500)
  print *, sum(q)
  deallocate (p)
  q(1) = 2
end program
